import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFolder } from '../../scripts/archive.mjs'
import { nodeProgram } from '../../scripts/node-builds.mjs'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { windowsWord } from '../../src/text/shell-word.ts'
import { csvOf } from '../support/import-bench.ts'
import { packInto } from '../support/pack.ts'
import { HOSTILE_WORDS } from '../support/shells.ts'
import { ENTER } from '../support/pseudo-terminal.ts'
import { ROOT } from '../support/spawn-pay.ts'
import type { Ended } from '../support/spawn-pay.ts'
import { HAS_WINDOWS, WINDOWS_NODES, createWindows, inWindows } from './wine.ts'
import type { Windows, WindowsUser } from './wine.ts'

/** The packed package, installed with npm and used as by someone at a Windows machine. */

test('node.exe runs under Wine', ({ skip }) => {
  skip(!HAS_WINDOWS, 'they need wine, and the builds of Node that node scripts/node-builds.mjs fetches')
})

describe.skipIf(!HAS_WINDOWS)('on Windows', () => {
  let windows: Windows
  let program: string
  let archive: string
  beforeAll(async () => {
    windows = createWindows()
    const packed = mkdtempSync(join(tmpdir(), 'pay-packed-'))
    try {
      const tarball = packInto(packed)
      program = await windows.install(tarball)
      archive = makeFolder('win-x64', tarball, windows.drive)
    } finally {
      rmSync(packed, { recursive: true })
    }
  }, 240_000)
  afterAll(() => windows.dispose())

  test('npm installs it with the commands of cmd.exe and PowerShell', () => {
    const installed = readdirSync(join(windows.drive, 'npm'))
    for (const name of ['pay.cmd', 'pay.ps1', 'payctl.cmd']) expect(installed).toContain(name)
  })

  test('the archive needs no Node', async () => {
    const user = windows.user('archive', program)
    const pay = async (words: string): Promise<string> => {
      const ended = await user.cmd(`C:\\${basename(archive)}\\pay.cmd ${words}`)
      expect(ended, `${words}\n${ended.stderr}`).toMatchObject({ exitCode: 0 })
      return ended.stdout
    }
    expect(await pay('smoke --sandbox')).toContain('All 12 steps passed.')
    const create = 'payment create --sandbox --token tok_autocapture --yes -q --amount "20.00 EUR" --order-id'
    for (const order of ['E-1', 'E-2']) await pay(`${create} ${order}`)
    await pay('payment refund --order E-1 --sandbox --amount "5.00 EUR" --yes')
    writeFileSync(join(user.folder, 'rows.csv'), csvOf(100))
    expect(await pay('observability import rows.csv --sandbox --json')).toContain('"created": 100')
    writeFileSync(join(user.folder, 'refunds.csv'), 'orderId,amount\nE-2,all\n')
    await pay('batch plan refund refunds.csv --sandbox')
    await pay('batch apply refunds.plan.ndjson --sandbox --yes')
    expect((await user.cmd(`C:\\${basename(archive)}\\pay.cmd payment get nosuch --sandbox`)).exitCode).toBe(
      5,
    )
  }, 240_000)

  test('a file that another program has open is removed once it is closed', async () => {
    const user = windows.user(WINDOWS_NODES.at(-1) ?? '', program)
    const source = inWindows(join(ROOT, 'src/files/replace-file.ts'))
    const script = `
      import { existsSync, unlinkSync, writeFileSync } from 'node:fs'
      import { DatabaseSync } from 'node:sqlite'
      import { removeFile } from ${JSON.stringify(`file:///${source.replaceAll('\\', '/')}`)}
      writeFileSync('held', '')
      const holder = new DatabaseSync('held')
      removeFile('held', (path) => {
        try {
          unlinkSync(path)
        } catch (error) {
          console.log(error.code)
          holder.close()
          throw error
        }
      })
      console.log(existsSync('held'))`
    writeFileSync(join(user.folder, 'remove.mjs'), script)
    const node = nodeProgram('win-x64', WINDOWS_NODES.at(-1) ?? '')
    const ended = await windows.run([node, '--no-warnings', 'remove.mjs'], user.folder).ended
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'EBUSY\nfalse\n' })
  }, 240_000)

  test('cmd.exe hands on words as they were meant, and runs none of them', async () => {
    const user = windows.user(WINDOWS_NODES[0] ?? '', program)
    // What PowerShell's quotes protect, cmd.exe takes for a part of the word. A batch file has the console's letters only.
    const words = HOSTILE_WORDS.filter((word) => /^[\w"][ -~]*$/.test(windowsWord(`metadata.k=${word}`)))
    expect(words.length).toBeGreaterThan(20)
    const set = words.map((word, at) => `--set ${windowsWord(`metadata.k${at}=${word}`)}`).join(' ')
    const ended = await user.cmd(`pay --sandbox session create --order-id A-1 --dry-run --json -q ${set}`)
    expect(ended, ended.stderr).toMatchObject({ exitCode: 0 })
    const request: { readonly body: { readonly metadata: Readonly<Record<string, string>> } } = JSON.parse(
      ended.stdout,
    )
    expect(Object.values(request.body.metadata)).toEqual(words)
    expect(readdirSync(user.folder)).not.toContain('pwned')
  })

  describe.each(WINDOWS_NODES)('with Node %s', (version) => {
    let user: WindowsUser
    beforeAll(() => {
      user = windows.user(version, program)
    })
    const done = async (words: string, options?: Parameters<WindowsUser['pay']>[1]): Promise<string> => {
      const ended = await user.pay(words, options)
      expect(ended, `${words}\n${ended.stderr}`).toMatchObject({ exitCode: 0 })
      return ended.stdout
    }
    const write = (name: string, text: string) => writeFileSync(join(user.folder, name), text)
    const read = (name: string) => readFileSync(join(user.folder, name), 'utf8')

    test('version, help, doctor and smoke', async () => {
      expect(await done('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
      expect(await done('payment refund --help')).toContain('Usage: pay payment refund')
      expect(await done('smoke --sandbox')).toContain('All 12 steps passed.')
      const doctor = await done('doctor --sandbox')
      expect(doctor).toContain(String.raw`C:\user-${version}\state`)
      expect(doctor).toContain('No problems found.')
    }, 240_000)

    test('names no chmod where files have no modes', async () => {
      write('in-the-way', '')
      mkdirSync(join(user.folder, 'state', 'sandbox', 'sandbox.db'), { recursive: true })
      const env = {
        PAY_CONFIG_DIR: String.raw`${user.windowsFolder}\in-the-way`,
        PAY_STATE_DIR: String.raw`${user.windowsFolder}\state`,
      }
      const add = 'profile add shop --base-url https://api.example.com --test --api-key-stdin'
      const refused = await user.pay(add, { env, stdin: 'key_of_a_test_0000' })
      expect(refused).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('Make the folder writable, or'),
      })
      const doctor = await user.pay('doctor --sandbox', { env })
      expect(doctor).toMatchObject({
        exitCode: 2,
        stdout: expect.stringContaining('Make it readable for you'),
      })
      expect(refused.stderr + doctor.stdout).not.toContain('chmod')
    }, 240_000)

    test('profiles', async () => {
      const key = { stdin: 'key_of_a_test_0000' }
      await done('profile add shop --base-url https://api.example.com --test --api-key-stdin', key)
      await done('profile add second --base-url https://two.example.com --test --api-key-stdin', key)
      await done('profile rename second other')
      await done('profile use other')
      expect(await done('whoami')).toContain('two.example.com')
      await done('profile remove other --yes')
      const listed = await done('profile list')
      expect(listed).toContain('shop')
      expect(listed).not.toContain('other')
      await done('profile remove shop --yes')
      const byCommand = ['--test', '--api-key-command', String.raw`.\key.exe --print`]
      const added = await user.pay([
        'profile',
        'add',
        'asks',
        '--base-url',
        'https://api.example.com',
        ...byCommand,
      ])
      expect(added, added.stderr).toMatchObject({ exitCode: 0 })
      expect(await done('profile show asks --json')).toContain(
        JSON.stringify(`'${user.windowsFolder}\\key.exe' --print`),
      )
      await done('profile remove asks --yes')
    }, 240_000)

    test('takes the program of a key from PATH, and none from the folder in use', async () => {
      const folder = join(windows.drive, 'windows/system32')
      copyFileSync(join(folder, 'hostname.exe'), join(user.folder, 'op.exe'))
      const tried = async (name: string) => {
        await done(`profile add asks --base-url https://api.example.com --test --api-key-command ${name}`)
        const { stdout } = await user.pay('doctor -p asks')
        await done('profile remove asks --yes')
        return stdout
      }
      expect(await tried('op')).toContain('there is no such program')
      expect(await tried('op.exe')).toContain('there is no such program')
      expect(await tried('hostname')).not.toContain('there is no such program')
    }, 240_000)

    test('a refund, and its ticket that is used up', async () => {
      const id = (
        await done(
          `payment create --sandbox --token tok_autocapture --amount '20.00 EUR' --order-id A-1 --yes -o id`,
        )
      ).trim()
      const refund = `payment refund ${id} --sandbox --amount '5.00 EUR' --once T-1 --yes`
      await done(refund)
      expect(await user.pay(refund)).toMatchObject({ exitCode: 6 })
      expect(await done(`payment explain --order A-1 --sandbox`)).toContain('5.00 EUR')
      expect(await done('ops list --sandbox')).toContain('payment.refund')
    }, 240_000)

    test('a sandbox in the background, a refund whose process is killed, and an import', async () => {
      const url = (await done('sandbox start --background --port 0 -o id')).trim()
      const env = { PAY_BASE_URL: url, PAY_API_KEY: 'sandbox_all' }
      expect(await done('sandbox status')).toContain(url)
      const id = (
        await done(`payment create --token tok_autocapture --amount '20.00 EUR' --order-id B-1 --yes -o id`, {
          env,
        })
      ).trim()
      await done(`sandbox faults add --on '/payments/*/refund' --do delay=60s`)
      const killed = user.start(`payment refund ${id} --amount '7.00 EUR' --yes`, { env })
      await until(async () => (await done('sandbox requests --json')).includes(`/payments/${id}/refund`))
      killed.kill()
      await killed.ended
      await done('sandbox faults clear')
      const second = await user.pay(`payment refund ${id} --amount '7.00 EUR' --yes`, { env })
      expect(second).toMatchObject({ exitCode: 6 })
      await done('ops resolve --all --yes', { env })
      const { transactions } = JSON.parse(await done(`payment get ${id} --json`, { env }))
      const refunds = transactions.filter(
        (one: { transactionType: string }) => one.transactionType === 'REFUND',
      )
      expect(refunds).toMatchObject([{ amount: 700 }])
      write('sent.csv', csvOf(300, undefined, 'sent'))
      const imported = JSON.parse(await done('observability import sent.csv --json', { env }))
      expect(imported).toMatchObject({ rows: 300, created: 300, retries: 0 })
      await done('sandbox stop')
    }, 240_000)

    test('an import, and the same again', async () => {
      write('rows.csv', csvOf(500))
      const words = 'observability import rows.csv --sandbox --json'
      expect(JSON.parse(await done(words))).toMatchObject({ rows: 500, created: 500 })
      const second = await user.pay(words)
      expect(second, second.stderr).toMatchObject({ exitCode: 0 })
      expect(JSON.parse(second.stdout)).toMatchObject({ rows: 500, updated: 500 })
      expect(second.stderr).not.toContain('Resuming')
      const mixed = await user.pay(
        'observability import rows.csv --sandbox --results Out.csv --rejects OUT.CSV --json',
      )
      expect(mixed).toMatchObject({ exitCode: 2 })
    }, 240_000)

    test('an import that was killed is resumed', async () => {
      write('many.csv', csvOf(3_000))
      // Its last rows wait, so that it can't end before it is killed.
      await done(`sandbox faults add --on 'POST /**' --do delay=10m --skip 300`)
      const words = 'observability import many.csv --sandbox --results results.csv --json'
      const killed = user.start(words)
      await Promise.race([
        killed.ended,
        until(async () => JSON.parse(await done('sandbox faults list --json'))[0].fired > 0),
      ])
      killed.kill()
      expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' })
      await done('sandbox faults clear')
      expect(JSON.parse(await done(words))).toMatchObject({ rows: 3_000, failed: 0, unknown: 0 })
      const [, ...results] = read('results.csv').trimEnd().split('\n')
      expect(new Set(results.map((line) => line.split(',')[0])).size).toBe(3_000)
    }, 240_000)

    test(
      String.raw`a batch with paths of C:\ `,
      async () => {
        for (const order of ['C-1', 'C-2'])
          await done(
            `payment create --sandbox --token tok_autocapture --amount '20.00 EUR' --order-id ${order} --yes -q`,
          )
        write('refunds.csv', 'orderId,amount,reason\r\nC-1,5.00 EUR,late\r\nC-2,all,cancelled\r\n')
        const plan = String.raw`${user.windowsFolder}\Plans of Ana.ndjson`
        const at = (...words: readonly string[]) => ['batch', ...words, '--sandbox', '--yes']
        const planned = await user.pay(
          at('plan', 'refund', String.raw`${user.windowsFolder}\refunds.csv`, '--out', plan).slice(0, -1),
        )
        expect(planned, planned.stderr).toMatchObject({ exitCode: 0 })
        const applied = await user.pay([...at('apply', plan), '--json'])
        expect(applied, applied.stderr).toMatchObject({ exitCode: 0 })
        expect(read('Plans of Ana.ndjson')).toContain('"ready"')
        expect(await done('batch list --sandbox')).toContain('Plans of Ana')
        await done('sandbox clock advance 2h')
        const verified = await user.pay(at('verify', plan).slice(0, -1))
        expect(verified, verified.stderr).toMatchObject({ exitCode: 0 })
      },
      240_000,
    )

    test('a list that is longer than the console is shown whole, without a pager', async () => {
      await done('sandbox seed --reset --payments 80')
      const { exitCode, screen } = await user.inConsole('payment list --limit 80 --sandbox', [])
      expect(exitCode).toBe(0)
      expect(screen).not.toContain('less')
      expect(screen).toContain('A-1080')
      expect(screen).toContain('A-1001')
    }, 240_000)

    test('a damaged ledger is set aside, and writes go on', async () => {
      const create = `payment create --sandbox --token tok_autocapture --amount '1.00 EUR' --order-id D-1 --yes -q`
      await done(create)
      const database = loadSqlite()(join(user.stateFolder, 'ledger.db'))
      database.exec('UPDATE tally SET open = 9')
      database.close()
      expect(await user.pay(create)).toMatchObject({ exitCode: 6 })
      expect(await done('ops abandon --damaged-ledger --dry-run')).toMatch(/record/)
      const { exitCode, screen } = await user.inConsole('ops abandon --damaged-ledger', [
        { when: '(y/N)', type: `y${ENTER}` },
      ])
      expect({ exitCode, screen }).toMatchObject({
        exitCode: 0,
        screen: expect.stringContaining('Set aside'),
      })
      expect(namesIn(user.stateFolder).some((name) => name.startsWith('ledger-damaged-'))).toBe(true)
      await done(create)
    }, 240_000)

    test('what it says to type can be typed in cmd.exe', async () => {
      const suggested = async ({ exitCode, stdout, stderr }: Ended, expected: number) => {
        expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: expected })
        const lines = [...stderr.matchAll(/^ +Next +(pay .*)$/gm)].map(([, line = '']) => line)
        expect(lines, stderr).not.toEqual([])
        return lines
      }
      const order = 'R&D (1) ^ <x> | calc'
      const create = 'payment create --sandbox --token tok_autocapture --yes -q --amount'.split(' ')
      expect(await user.pay([...create, '1.00 EUR', '--order-id', order])).toMatchObject({ exitCode: 0 })
      const lines = [
        ...(await suggested(await user.cmd('pay paymnt list'), 2)),
        ...(await suggested(await user.cmd('pay payment refund "no such" --sandbox --yes'), 5)),
        ...(await suggested(await user.cmd('pay payment get nosuch --sandbox'), 5)),
        // An order in place of a payment's ID leads to the command with the order, whatever characters it has.
        ...(await suggested(await user.pay(['payment', 'get', order, '--sandbox']), 5)),
      ]
      expect(lines.some((line) => line.includes(`--order "${order}"`))).toBe(true)
      for (const line of lines) {
        const ended = await user.cmd(line)
        expect(ended, `${line}\n${ended.stderr}`).toMatchObject({ exitCode: 0 })
      }
      expect((await user.cmd('pay payment list --from "7d" --sandbox -o id')).exitCode).toBe(0)
    }, 240_000)
  })
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
