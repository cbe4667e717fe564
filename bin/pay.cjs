#!/usr/bin/env node
'use strict'
// Old versions of Node read this file too: it has to parse on all of them, so that they can be told what is wrong.
var fs = require('fs')
var path = require('path')

var dist = path.join(__dirname, '../dist')
var node = process.versions.node.split('.').map(Number)
// The only word, or -h where there is none at all.
var word = process.argv.length < 4 ? (process.argv.length === 3 ? process.argv[2] : '-h') : undefined

if (node[0] < 20 || (node[0] === 20 && node[1] < 19)) {
  say(2, 'pay needs Node 20.19 or newer; this is Node ' + process.versions.node + '.\n')
  process.exitCode = 1
} else if (word === '--version' || word === '-V') {
  // This and the next are answered without loading the program, which takes longer than Node itself.
  say(1, JSON.parse(fs.readFileSync(path.join(__dirname, '../package.json'), 'utf8')).version + '\n')
} else if (!fs.existsSync(path.join(dist, 'main.cjs'))) {
  say(2, 'pay is not built yet: run npm run build\n')
  process.exitCode = 1
} else if (helpPage() !== undefined) {
  say(1, fs.readFileSync(helpPage(), 'utf8'))
} else {
  // By the name that Node knows it by, links and all: the rest of the program asks for it by that name.
  run(require.resolve('../dist/main.cjs'))
}

/**
 * Runs the program: with what the build has compiled of it for this very Node, where that is there and whole, which saves V8 a
 * fifth of the time of a call; else as it stands. PAY_NO_CODE_CACHE=1 has it run as it stands. (docs/decisions/0017)
 */
function run(file) {
  var compiled = process.env.PAY_NO_CODE_CACHE === '1' ? undefined : compiledFor(file)
  // oxlint-disable-next-line import/no-dynamic-require -- loading it is running it
  if (compiled === undefined) return require(file)
  var program = new module.constructor(file, module)
  program.filename = file
  require.cache[file] = program
  var script = new (require('vm').Script)(compiled.text, { filename: file, cachedData: compiled.code })
  var load = require('module').createRequire(file)
  script.runInThisContext()(program.exports, load, program, file, path.dirname(file))
  program.loaded = true
}

/** What it says of itself has to be true of both files to the last byte: V8 takes damaged code as it is. */
function compiledFor(file) {
  var name = process.version + '-' + process.platform + '-' + process.arch + '.bin'
  try {
    var stored = fs.readFileSync(path.join(path.dirname(file), 'code-cache', name))
    var source = fs.readFileSync(file)
    var code = stored.subarray(32)
    var digest = require('crypto').createHash('sha256').update(source).update(code).digest()
    if (!digest.equals(stored.subarray(0, 32))) return undefined
    // As Node wraps it.
    var text = '(function (exports, require, module, __filename, __dirname) {' + source.toString() + '\n})'
    return { text: text, code: code }
  } catch (error) {
    // There is none for this Node, or it cannot be read.
    if (error.code === undefined) throw error
    return undefined
  }
}

/** The page that the build has made for 80 columns; none where another one is wanted, or the terminal is narrower. */
function helpPage() {
  var name = word === '--help' ? 'help.txt' : word === '-h' ? 'help-short.txt' : undefined
  if (name === undefined || !fs.existsSync(path.join(dist, name))) return undefined
  // Asking a pipe for its columns would load what takes longer than all of this.
  if (fs.fstatSync(1).isCharacterDevice() && process.stdout.columns < 80) return undefined
  return path.join(dist, name)
}

/** Writes all of it, also into a pipe that takes it in pieces; a reader that has gone is no error. */
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
