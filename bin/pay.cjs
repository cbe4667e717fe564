#!/usr/bin/env node
'use strict'
// Old Node versions read this file too: it has to parse on all of them, so that they can be told what is wrong.
var fs = require('fs')
var path = require('path')

var found = process.versions.node.split('.').map(Number)
var isOld = found[0] < 20 || (found[0] === 20 && found[1] < 19)

if (isOld) {
  fs.writeSync(2, 'pay needs Node 20.19 or newer; this is Node ' + process.versions.node + '.\n')
  process.exitCode = 1
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  // Answered without loading the program: scripts ask this often.
  fs.writeSync(1, JSON.parse(fs.readFileSync(path.join(__dirname, '../package.json'), 'utf8')).version + '\n')
} else if (fs.existsSync(path.join(__dirname, '../dist/main.cjs'))) {
  // oxlint-disable-next-line import/no-unassigned-import -- loading it is running it
  require('../dist/main.cjs')
} else {
  fs.writeSync(2, 'pay is not built yet: run npm run build\n')
  process.exitCode = 1
}
