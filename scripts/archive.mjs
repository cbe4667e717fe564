// Makes archives of pay with Node, for machines without one: archives/payctl-VERSION-PLATFORM.tar.gz, .zip for Windows, and
// SHA256SUMS. npm run archive makes linux-x64 and win-x64; npm run archive -- darwin-arm64 another one, which nobody has tried.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchNode, nodeProgram } from './node-builds.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** It has SQLite built in, so that the archive needs no add-on. Wine 8 runs no later one, and so none could be tried here. */
export const NODE_VERSION = '22.23.3'
const USUAL = ['linux-x64', 'win-x64']

const isWindows = (platform) => platform.startsWith('win')

/** Follows links, so that one in a folder of PATH works. Needs no program but readlink, and that only for a link. */
const ON_POSIX = `#!/bin/sh
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=\${self%/*}/$target ;;
  esac
done
case $self in
  */*) here=\${self%/*} ;;
  *) here=. ;;
esac
exec "$here/node" "$here/lib/bin/pay.cjs" "$@"
`
const ON_WINDOWS = '@"%~dp0node.exe" "%~dp0lib\\bin\\pay.cjs" %*\r\n'

/** Makes the folder of an archive from a packed package. Returns its path. */
export function makeFolder(platform, tarball, into) {
  const [, version] = /-(\d[^-]*(?:-[^/]*)?)\.tgz$/.exec(tarball)
  const folder = join(into, `payctl-${version}-${platform}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'lib'), { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', join(folder, 'lib'), '--strip-components=1'])
  fetchNode(platform, NODE_VERSION)
  const program = nodeProgram(platform, NODE_VERSION)
  copyFileSync(program, join(folder, basename(program)))
  if (isWindows(platform)) writeFileSync(join(folder, 'pay.cmd'), ON_WINDOWS)
  else writeFileSync(join(folder, 'pay'), ON_POSIX, { mode: 0o755 })
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE.txt'))
  // npm's packages for Windows have no licence; it is the same for every platform.
  cpSync(join(fetchNode('linux-x64', NODE_VERSION), 'LICENSE'), join(folder, 'LICENSE-node.txt'))
  cpSync(join(folder, 'lib/dist/THIRD-PARTY-LICENSES.txt'), join(folder, 'LICENSES-libraries.txt'))
  return folder
}

/** Compresses the folder beside itself. Returns the archive's path. */
function compress(folder, platform, into) {
  const archive = `${folder}${isWindows(platform) ? '.zip' : '.tar.gz'}`
  const name = basename(folder)
  const words = isWindows(platform)
    ? ['zip', '-qr', archive, name]
    : ['tar', '-czf', archive, '--owner=0', '--group=0', name]
  const pack = () => {
    rmSync(archive, { force: true })
    execFileSync(words[0], words.slice(1), { cwd: into })
  }
  try {
    pack()
  } catch {
    // On a container's layered file system, tar has failed to open the folder that was made a moment before.
    console.error(`Packing again. In the folder: ${readdirSync(folder).join(', ')}`)
    pack()
  }
  return archive
}

function main(platforms) {
  const into = join(ROOT, 'archives')
  const scratch = mkdtempSync(join(tmpdir(), 'pay-archive-'))
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', scratch], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const tarball = join(scratch, packed.trim().split('\n').at(-1))
    rmSync(into, { recursive: true, force: true })
    const sums = platforms.map((platform) => {
      const folder = makeFolder(platform, tarball, into)
      const archive = compress(folder, platform, into)
      const tried = USUAL.includes(platform) ? '' : ' (not tried)'
      console.log(`${archive}  ${Math.round(statSync(archive).size / 1e6)} MB${tried}`)
      return `${createHash('sha256').update(readFileSync(archive)).digest('hex')}  ${basename(archive)}\n`
    })
    writeFileSync(join(into, 'SHA256SUMS'), sums.join(''))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main(process.argv.length > 2 ? process.argv.slice(2) : USUAL)
