import { describe, expect, test } from 'vitest'
import { configFolder, stateFolder } from '../../../src/client/config/paths.ts'

const at = (platform: string, env: Record<string, string> = {}) => ({
  platform,
  env,
  home: platform === 'win32' ? 'C:\\Users\\ann' : '/home/ann',
  cwd: platform === 'win32' ? 'C:\\Users\\ann\\project' : '/home/ann/project',
})

test.each([
  ['linux', {}, '/home/ann/.config/payctl'],
  ['freebsd', {}, '/home/ann/.config/payctl'],
  ['linux', { XDG_CONFIG_HOME: '/etc/ann' }, '/etc/ann/payctl'],
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/ann/.config/payctl'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ann/.config/payctl'],
  ['darwin', {}, '/home/ann/Library/Preferences/payctl'],
  ['win32', {}, 'C:\\Users\\ann\\AppData\\Roaming\\payctl\\Config'],
  ['win32', { APPDATA: 'D:\\roam' }, 'D:\\roam\\payctl\\Config'],
  ['linux', { PAY_CONFIG_DIR: '/tmp/pay' }, '/tmp/pay'],
  ['linux', { PAY_CONFIG_DIR: 'conf/pay' }, '/home/ann/project/conf/pay'],
  ['linux', { PAY_CONFIG_DIR: '' }, '/home/ann/.config/payctl'],
  ['linux', { PAY_CONFIG_DIR: '~/pay' }, '/home/ann/pay'],
  ['linux', { PAY_CONFIG_DIR: '~' }, '/home/ann'],
  ['linux', { PAY_CONFIG_DIR: '~ann' }, '/home/ann/project/~ann'],
  ['win32', { PAY_CONFIG_DIR: 'pay' }, 'C:\\Users\\ann\\project\\pay'],
  ['darwin', { PAY_CONFIG_DIR: '/tmp/pay', XDG_CONFIG_HOME: '/x' }, '/tmp/pay'],
])('the config folder on %s with %o is %s', (platform, env, folder) => {
  expect(configFolder(at(platform, env))).toBe(folder)
})

test.each([
  ['linux', {}, '/home/ann/.local/state/payctl'],
  ['linux', { XDG_STATE_HOME: '/var/ann' }, '/var/ann/payctl'],
  ['darwin', {}, '/home/ann/Library/Application Support/payctl'],
  ['win32', {}, 'C:\\Users\\ann\\AppData\\Local\\payctl\\State'],
  ['win32', { LOCALAPPDATA: 'D:\\local' }, 'D:\\local\\payctl\\State'],
  ['linux', { PAY_STATE_DIR: 'state' }, '/home/ann/project/state'],
  ['linux', { PAY_CONFIG_DIR: '/tmp/pay' }, '/home/ann/.local/state/payctl'],
])('the state folder on %s with %o is %s', (platform, env, folder) => {
  expect(stateFolder(at(platform, env))).toBe(folder)
})

describe('without a home', () => {
  const withHome = (home: string | undefined, env: Record<string, string> = {}, platform = 'linux') => ({
    ...at(platform, env),
    home,
  })

  test.each([
    ['linux', undefined, 'You have no home folder: HOME is not set, and the system does not know your user'],
    ['linux', '', 'HOME is not an absolute path: it is empty'],
    ['darwin', 'ann', 'HOME is not an absolute path: ann'],
    ['win32', 'C:ann', 'USERPROFILE is not an absolute path: C:ann'],
  ])('on %s, %o is refused', (platform, home, message) => {
    for (const folder of [configFolder, stateFolder])
      expect(() => folder(withHome(home, {}, platform))).toThrow(message)
  })

  test.each<Record<string, string>>([
    { XDG_CONFIG_HOME: '', XDG_STATE_HOME: 'state' },
    { PAY_CONFIG_DIR: '~', PAY_STATE_DIR: '~/pay' },
  ])('%o does not help', (env) => {
    for (const folder of [configFolder, stateFolder])
      expect(() => folder(withHome(undefined, env))).toThrow('You have no home folder')
  })

  test.each([
    [{ PAY_CONFIG_DIR: '/pay/config', PAY_STATE_DIR: '/pay/state' }, '/pay/config', '/pay/state'],
    [{ XDG_CONFIG_HOME: '/config', XDG_STATE_HOME: '/state' }, '/config/payctl', '/state/payctl'],
  ])('%o is enough', (env, config, state) => {
    expect(configFolder(withHome('', env))).toBe(config)
    expect(stateFolder(withHome(undefined, env))).toBe(state)
  })
})
