#!/usr/bin/env node
'use strict'
// Every version of Node must be able to parse this file, to say which version pay needs.
var fs = require('fs')
var path = require('path')

var dist = path.join(__dirname, '../dist')
var node = process.versions.node.split('.').map(Number)
// The only argument; -h if there is none.
var word = process.argv.length < 4 ? (process.argv.length === 3 ? process.argv[2] : '-h') : undefined

if (node[0] < 20 || (node[0] === 20 && node[1] < 19)) {
  say(2, 'pay needs Node 20.19 or newer; this is Node ' + process.versions.node + '.\n')
  process.exitCode = 1
} else if (word === '--version' || word === '-V') {
  // Version and help don't need the program, which takes longer to load than Node itself.
  say(1, JSON.parse(fs.readFileSync(path.join(__dirname, '../package.json'), 'utf8')).version + '\n')
} else if (!fs.existsSync(path.join(dist, 'main.cjs'))) {
  say(2, 'pay is not built yet: run npm run build\n')
  process.exitCode = 1
} else if (helpPage() !== undefined) {
  say(1, fs.readFileSync(helpPage(), 'utf8'))
} else {
  // The path with links resolved: the other files of the program require it by this path.
  run(require.resolve('../dist/main.cjs'))
}

/**
 * Runs the program, with the code that the build compiled for this version of Node if that is present and undamaged: it saves
 * a fifth of the time of a call. PAY_NO_CODE_CACHE=1 turns this off. (docs/decisions/0017)
 */
function run(file) {
  var compiled = process.env.PAY_NO_CODE_CACHE === '1' ? undefined : compiledFor(file)
  if (compiled === undefined) {
    if (process.env.PAY_NO_CODE_CACHE !== '1') keepCompiled()
    // oxlint-disable-next-line import/no-dynamic-require -- loading it is running it
    return require(file)
  }
  var program = new module.constructor(file, module)
  program.filename = file
  require.cache[file] = program
  var script = new (require('vm').Script)(compiled.text, { filename: file, cachedData: compiled.code })
  var load = require('module').createRequire(file)
  script.runInThisContext()(program.exports, load, program, file, path.dirname(file))
  program.loaded = true
}

/** The compiled code, if its digest fits both files: V8 runs damaged code without noticing. */
function compiledFor(file) {
  var name = process.version + '-' + process.platform + '-' + process.arch + '.bin'
  try {
    var stored = fs.readFileSync(path.join(path.dirname(file), 'code-cache', name))
    var source = fs.readFileSync(file)
    var code = stored.subarray(32)
    var digest = require('crypto').createHash('sha256').update(source).update(code).digest()
    if (!digest.equals(stored.subarray(0, 32))) return undefined
    // The wrapper that Node puts around a CommonJS module. The build writes ASCII only.
    var text =
      '(function (exports, require, module, __filename, __dirname) {' + source.toString('latin1') + '\n})'
    return { text: text, code: code }
  } catch (error) {
    // There is none for this Node, or it can't be read.
    if (error.code === undefined) throw error
    return undefined
  }
}

/**
 * An installed copy: lets Node, from 22.8, keep what it compiles in the user's cache folder. Nobody else may be able to write
 * there, because the process that runs the code holds the keys. (docs/decisions/0034)
 */
function keepCompiled() {
  var keep = require('module').enableCompileCache
  var base = process.env.XDG_CACHE_HOME || (process.env.HOME && path.join(process.env.HOME, '.cache'))
  if (keep === undefined || !base || !path.isAbsolute(base) || process.platform === 'win32') return
  var folder = path.join(base, 'payctl')
  // What is missing is created in the folder before it.
  var nearest = [folder, base, path.dirname(base)].find(fs.existsSync)
  if (nearest !== undefined && isOurs(nearest) && (nearest !== folder || isOurs(base))) keep(folder)
}

/** Whether only this user can write there. */
function isOurs(folder) {
  // Another process may have removed it.
  var found = fs.statSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.uid === process.getuid() && (found.mode & 18) === 0
}

/**
 * The help page that the build rendered for 80 columns; undefined for other words and narrower terminals, and for pay alone
 * where there is a ledger: the program then says what is in doubt.
 */
function helpPage() {
  if (process.argv.length === 2 && ledgers().some(fs.existsSync)) return undefined
  var name = word === '--help' ? 'help.txt' : word === '-h' ? 'help-short.txt' : undefined
  if (name === undefined || !fs.existsSync(path.join(dist, name))) return undefined
  // Opening process.stdout on a pipe takes longer than everything else here, and a pipe has no columns.
  if (fs.fstatSync(1).isCharacterDevice() && process.stdout.columns < 80) return undefined
  return path.join(dist, name)
}

/** Where a ledger may be; src/client/config/paths.ts knows where it is. */
function ledgers() {
  var env = process.env
  var home = env.HOME || env.USERPROFILE || ''
  var folders = env.PAY_STATE_DIR
    ? [env.PAY_STATE_DIR.replace(/^~(?=[/\\]|$)/, home)]
    : [
        path.join(env.XDG_STATE_HOME || path.join(home, '.local/state'), 'payctl'),
        path.join(home, 'Library/Application Support/payctl'),
        path.join(env.LOCALAPPDATA || path.join(home, 'AppData/Local'), 'payctl/State'),
      ]
  return folders.map(function (folder) {
    return path.join(folder, 'ledger.db')
  })
}

/** Writes the whole text, even to a slow pipe. A closed pipe is not an error. */
function say(fd, text) {
  var bytes = Buffer.from(text)
  var written = 0
  try {
    while (written < bytes.length) written += fs.writeSync(fd, bytes, written)
  } catch (error) {
    if (error.code === 'EAGAIN') (fd === 1 ? process.stdout : process.stderr).write(bytes.slice(written))
    else if (error.code !== 'EPIPE') throw error
  }
}
