import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const web = (path) => join(root, 'src/pages', path)
/** Each page is one script, one style sheet and one HTML file; the checkout component is one classic script. */
const SCRIPTS = {
  dashboard: { input: web('dashboard/main.tsx'), format: 'es' },
  checkout: { input: web('checkout/main.tsx'), format: 'es' },
  'checkout-component': { input: web('component/checkout-component.ts'), format: 'iife' },
}
const STYLES = {
  dashboard: [web('page/page.css'), web('dashboard/dashboard.css')],
  checkout: [web('page/page.css'), web('checkout/checkout.css')],
}

/** Bundles the pages into `folder` and returns what rolldown made, for the list of licences. */
export async function buildPages(rolldown, folder) {
  mkdirSync(folder, { recursive: true })
  const made = []
  for (const [name, { input, format }] of Object.entries(SCRIPTS)) {
    const bundle = await rolldown({
      input: { [name]: input },
      cwd: root,
      platform: 'browser',
      transform: { target: 'es2022' },
    })
    const { output } = await bundle.write({
      dir: folder,
      format,
      minify: true,
      entryFileNames: '[name].js',
      codeSplitting: false,
      comments: { legal: false, annotation: false, jsdoc: false },
    })
    await bundle.close()
    made.push(...output)
  }
  for (const [name, files] of Object.entries(STYLES)) {
    writeFileSync(join(folder, `${name}.css`), files.map((file) => readFileSync(file, 'utf8')).join('\n'))
    copyFileSync(web(`${name}/${name}.html`), join(folder, `${name}.html`))
  }
  return made
}
