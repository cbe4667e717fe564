import { describe, expect, test } from 'vitest'
import { configFolder, stateFolder } from '../../src/config/paths.ts'

const at = (platform: string, env: Record<string, string> = {}) => ({
  platform,
  env,
  home: platform === 'win32' ? 'C:\\Users\\ann' : '/home/ann',
  cwd: platform === 'win32' ? 'C:\\Users\\ann\\project' : '/home/ann/project',
})

describe('the config folder', () => {
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
  ])('on %s with %o is %s', (platform, env, folder) => {
    expect(configFolder(at(platform, env))).toBe(folder)
  })
})

describe('the state folder', () => {
  test.each([
    ['linux', {}, '/home/ann/.local/state/payctl'],
    ['linux', { XDG_STATE_HOME: '/var/ann' }, '/var/ann/payctl'],
    ['darwin', {}, '/home/ann/Library/Application Support/payctl'],
    ['win32', {}, 'C:\\Users\\ann\\AppData\\Local\\payctl\\State'],
    ['win32', { LOCALAPPDATA: 'D:\\local' }, 'D:\\local\\payctl\\State'],
    ['linux', { PAY_STATE_DIR: 'state' }, '/home/ann/project/state'],
    ['linux', { PAY_CONFIG_DIR: '/tmp/pay' }, '/home/ann/.local/state/payctl'],
  ])('on %s with %o is %s', (platform, env, folder) => {
    expect(stateFolder(at(platform, env))).toBe(folder)
  })
})
