import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serve, useSpawnBench } from '../support/use-spawn-bench.ts'
import { errorOf } from '../support/run-result.ts'

const bench = useSpawnBench()

/** A payment with a little more than a megabyte of JSON. */
const LARGE = {
  id: 'p1',
  status: 'SETTLED',
  metadata: Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`key-${at}`, 'x'.repeat(80)])),
}

describe('pipes', () => {
  test('a megabyte of JSON reaches a slow reader completely', async () => {
    const { env } = await serve([{ body: LARGE }])
    const read = await bench.shell('pay payment get p1 -o json | (sleep 0.3; cat)', { env })
    expect(read.stdout.length).toBeGreaterThan(1_000_000)
    expect(JSON.parse(read.stdout)).toEqual(LARGE)
  })

  test('a megabyte arrives completely with exit code 13 too', async () => {
    const { env } = await serve(() => ({ body: { ...LARGE, status: 'DECLINED' } }))
    const read = await bench.shell(
      '{ pay payment create --token t --amount 5 --currency EUR --order-id A --json; echo "code $?" >&2; } | (sleep 0.3; cat)',
      { env },
    )
    expect(JSON.parse(read.stdout)).toMatchObject({ status: 'DECLINED' })
    expect(read.stderr).toContain('code 13')
  })

  test('a reader that closes early ends pay quietly', async () => {
    const { env } = await serve([{ body: LARGE }])
    const read = await bench.shell('{ pay payment get p1 -o json; echo "code $?" >&2; } | head -1', { env })
    expect(read).toMatchObject({ stdout: '{\n', stderr: 'code 0\n' })
  })

  test('a closed pipe on stderr changes nothing', async () => {
    const read = await bench.shell('{ pay --sandbox payment list --json --debug 2>&1 1>&3 | true; } 3>&1')
    expect(JSON.parse(read.stdout)).toEqual({ data: [] })
  })

  test('a full disk is an error', async () => {
    const full = await bench.shell('pay --sandbox payment list --json > /dev/full')
    expect(full.exitCode).not.toBe(0)
    expect(full.stderr).not.toMatch(/at .*\.cjs:\d+/)
    expect(full.stderr).toContain('the disk is full')
  })

  test('a full disk after a write reports that the write was done', async () => {
    const { env } = await serve([{ body: { id: 'p1', status: 'SETTLED' } }])
    const full = await bench.shell('pay payment capture p1 --amount 5 --json > /dev/full', { env })
    expect(full.exitCode).toBe(1)
    expect(errorOf(full)).toMatchObject({ exitCode: 1, outcome: 'applied' })
  })
})

describe('signals', () => {
  test('SIGINT during a read ends at once with 130', async () => {
    const { env, service } = await serve([{ hang: true }])
    const running = bench.start('payment get p1', { env })
    await service.arrived(1)
    running.kill('SIGINT')
    expect(await running.ended).toMatchObject({ exitCode: 130, stdout: '' })
  })

  test('SIGTERM during a read ends at once with 143', async () => {
    const { env, service } = await serve([{ hang: true }])
    const running = bench.start('payment get p1 --json', { env })
    await service.arrived(1)
    running.kill('SIGTERM')
    const ended = await running.ended
    expect(ended).toMatchObject({ exitCode: 143, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ exitCode: 143 })
  })

  test('SIGINT between the attempts of a read ends at once', async () => {
    const { env, service } = await serve(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
    const running = bench.start('payment get p1 -v', { env })
    await service.arrived(1)
    await running.says('attempt 1')
    running.kill('SIGINT')
    expect((await running.ended).exitCode).toBe(130)
    expect(service.requests).toHaveLength(1)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s during a write waits for its response and prints it',
    async (signal) => {
      let isSaid = (): void => {}
      const after = new Promise<void>((resolve) => {
        isSaid = resolve
      })
      const { env, service } = await serve([{ after, body: { id: 'p1', status: 'SETTLED' } }])
      const running = bench.start('payment capture p1 --amount 5 --json', { env })
      await service.arrived(1)
      running.kill(signal)
      await running.says('Interrupted')
      isSaid()
      const ended = await running.ended
      expect(ended.exitCode).toBe(0)
      expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'SETTLED' })
    },
  )

  test('a second SIGINT stops waiting: the outcome is unknown, exit 10', async () => {
    const { env, service } = await serve([{ hang: true }])
    const running = bench.start('payment capture p1 --amount 5 --json', { env })
    await service.arrived(1)
    running.kill('SIGINT')
    await running.says('Interrupted')
    running.kill('SIGINT')
    const ended = await running.ended
    expect(ended).toMatchObject({ exitCode: 10, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while reading stdin sends nothing, exit %i', async (signal, exitCode) => {
    const running = bench.start('--sandbox payment create --data -', { keepsStdinOpen: true })
    await running.says('embedded sandbox')
    running.kill(signal)
    const ended = await running.ended
    expect(ended).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining('nothing was sent') })
  })
})

describe('files', () => {
  const modes = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const mode = (statSync(path).mode & 0o777).toString(8)
      return mode === (entry.isDirectory() ? '700' : '600') ? [] : [`${path} ${mode}`]
    })

  test('every file is 0600 and every folder 0700 after use, regardless of the umask', async () => {
    const fresh = {
      PAY_CONFIG_DIR: join(bench.folder, 'new/config'),
      PAY_STATE_DIR: join(bench.folder, 'new/state'),
    }
    const used = await bench.shell(
      [
        'umask 000',
        'set -e',
        'printf key-0123456789 | pay profile add shop --base-url http://127.0.0.1:9 --test --api-key-stdin -q',
        'pay profile set shop --read-only -q',
        'pay smoke --sandbox -q',
        'pay sandbox clock advance 2h -q',
        'pay sandbox tokenize --card 4111111111111111 -q',
      ].join('\n'),
      { env: fresh },
    )
    expect(used).toMatchObject({ stderr: '', exitCode: 0 })
    expect(modes(join(bench.folder, 'new'))).toEqual([])
    expect(readdirSync(fresh.PAY_CONFIG_DIR)).not.toEqual([])
    expect(readdirSync(fresh.PAY_STATE_DIR)).not.toEqual([])
  })

  test('a state folder that cannot be created is reported, and nothing is sent', async () => {
    writeFileSync(join(bench.folder, 'file'), '')
    const failed = await bench.pay('--sandbox payment list', {
      env: { PAY_STATE_DIR: join(bench.folder, 'file/state') },
    })
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(failed.stderr).toContain('PAY_STATE_DIR')
    expect(failed.stderr).not.toMatch(/\.cjs:\d+/)
  })

  test('a config folder that cannot be created is reported without the key', async () => {
    writeFileSync(join(bench.folder, 'file'), '')
    const failed = await bench.pay('profile add shop --base-url https://api.example.com --api-key-stdin', {
      env: { PAY_CONFIG_DIR: join(bench.folder, 'file/config') },
      stdin: 'key-0123456789',
    })
    expect(failed).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('file/config') })
    expect(failed.stderr).not.toContain('key-0123456789')
  })

  test('commands that need no state work without a usable state folder', async () => {
    writeFileSync(join(bench.folder, 'file'), '')
    const { env } = await serve([{ body: { data: [] } }])
    const listed = await bench.pay('payment list --json', {
      env: { ...env, PAY_STATE_DIR: join(bench.folder, 'file/state') },
    })
    expect(listed.exitCode).toBe(0)
  })

  test('--help and --version touch no folder', async () => {
    const untouched = { PAY_CONFIG_DIR: join(bench.folder, 'a'), PAY_STATE_DIR: join(bench.folder, 'b') }
    for (const words of [
      '--help',
      '--version',
      'payment refund --help',
      'payment list',
      'payment list --sandbox --dry-run',
    ])
      await bench.pay(words, { env: untouched })
    expect(readdirSync(bench.folder).toSorted()).toEqual(['config', 'state'])
  })
})

test('key, URL and folders of the tests do not leak into the program', async () => {
  const asked = await bench.pay('whoami --json')
  expect(asked.exitCode).toBe(4)
})
