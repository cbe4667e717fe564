'use strict'
// Preloaded into the built program. Records in order what the program changes and syncs below DURABILITY_ROOT, and what it
// sends, receives and prints: one JSON object a line in DURABILITY_LOG (operation.ts). Calls that it does not know are
// recorded as `unmodelled`, which fails the test.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const net = require('node:net')
const path = require('node:path')

const root = process.env.DURABILITY_ROOT
const real = { ...fs }
const log = real.openSync(process.env.DURABILITY_LOG, 'a')
const watched = new Set()

const record = (entry) => real.writeSync(log, `${JSON.stringify(entry)}\n`)
// The folder for temporary files may be a link, and a working folder has its real name.
const trueRoot = real.realpathSync(root)
function placeOf(name) {
  const place = path.resolve(name instanceof URL ? name.pathname : String(name))
  return `${place}/`.startsWith(`${trueRoot}/`) ? root + place.slice(trueRoot.length) : place
}
const isOurs = (name) => typeof name !== 'number' && `${placeOf(name)}/`.startsWith(`${root}/`)
const isWatched = (place) => (typeof place === 'number' ? watched.has(place) : isOurs(place))

const LETTERS = { r: 0, 'r+': 2, w: 0o1101, 'w+': 0o1102, a: 0o2101, 'a+': 0o2102 }
const [CREATE, EXCLUSIVE, TRUNCATE, APPEND] = ['O_CREAT', 'O_EXCL', 'O_TRUNC', 'O_APPEND'].map(
  (name) => fs.constants[name],
)

function flagsOf(flags) {
  const text = String(flags ?? 'r')
  const plain = text.replace(/[xs]/g, '')
  const bits = typeof flags === 'number' ? flags : LETTERS[plain]
  if (bits === undefined) throw new Error(`the recorder does not know the flags ${text}`)
  const has = (bit, octal) => (bits & (typeof flags === 'number' ? bit : octal)) !== 0
  return {
    creates: has(CREATE, 0o100),
    isNew: typeof flags === 'number' ? (flags & EXCLUSIVE) !== 0 : text.includes('x'),
    truncates: has(TRUNCATE, 0o1000),
    appends: has(APPEND, 0o2000),
  }
}

fs.openSync = (name, flags, mode) => {
  const fd = real.openSync(name, flags, mode)
  if (isOurs(name)) {
    watched.add(fd)
    record({ op: 'open', fd, path: placeOf(name), ...flagsOf(flags) })
  }
  return fd
}

fs.closeSync = (fd) => {
  real.closeSync(fd)
  if (watched.delete(fd)) record({ op: 'close', fd })
}

fs.writeSync = (fd, data, ...rest) => {
  const written = real.writeSync(fd, data, ...rest)
  if (!watched.has(fd)) return written
  let [from, position, bytes] = [0, null, undefined]
  if (typeof data === 'string') {
    position = rest[0] ?? null
    bytes = Buffer.from(data, rest[1])
  } else {
    const given = typeof rest[0] === 'object' && rest[0] !== null ? rest[0] : undefined
    from = given?.offset ?? (given === undefined ? rest[0] : 0) ?? 0
    position = (given === undefined ? rest[2] : given.position) ?? null
    bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  }
  const data64 = bytes.subarray(from, from + written).toString('base64')
  record({ op: 'write', fd, at: typeof position === 'number' ? position : null, data: data64 })
  return written
}

// Node's own writeFileSync bypasses the wrapped functions, so it is built from them.
fs.writeFileSync = (file, data, options) => {
  const given = typeof options === 'string' ? { encoding: options } : (options ?? {})
  const isOpen = typeof file === 'number'
  const fd = isOpen ? file : fs.openSync(file, given.flag ?? 'w', given.mode ?? 0o666)
  try {
    const bytes = typeof data === 'string' ? Buffer.from(data, given.encoding ?? 'utf8') : data
    for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at)
    if (given.flush === true) fs.fsyncSync(fd)
  } finally {
    if (!isOpen) fs.closeSync(fd)
  }
}
fs.appendFileSync = (file, data, options) =>
  fs.writeFileSync(file, data, {
    flag: 'a',
    ...(typeof options === 'string' ? { encoding: options } : options),
  })

for (const name of ['fsyncSync', 'fdatasyncSync']) {
  fs[name] = (fd) => {
    real[name](fd)
    if (watched.has(fd)) record({ op: 'sync', fd })
  }
}
fs.fsync = (fd, callback) => {
  const isOurFile = watched.has(fd)
  if (isOurFile) record({ op: 'sync-begins', fd })
  real.fsync(fd, (error) => {
    if (isOurFile && error === null) record({ op: 'sync', fd })
    callback(error)
  })
}
fs.ftruncateSync = (fd, length) => {
  real.ftruncateSync(fd, length)
  if (watched.has(fd)) record({ op: 'truncate', fd, length: length ?? 0 })
}
for (const [name, op] of [
  ['renameSync', 'rename'],
  ['linkSync', 'link'],
]) {
  fs[name] = (from, to) => {
    real[name](from, to)
    if (isOurs(from) || isOurs(to)) record({ op, from: placeOf(from), to: placeOf(to) })
  }
}
for (const name of ['unlinkSync', 'rmdirSync']) {
  fs[name] = (place) => {
    real[name](place)
    if (isOurs(place)) record({ op: 'unlink', path: placeOf(place) })
  }
}
fs.mkdirSync = (place, options) => {
  const missing = []
  for (let at = placeOf(place); !real.existsSync(at) && path.dirname(at) !== at; at = path.dirname(at))
    missing.unshift(at)
  const made = real.mkdirSync(place, options)
  for (const one of missing) if (isOurs(one)) record({ op: 'mkdir', path: one })
  return made
}
fs.mkdtempSync = (prefix, options) => {
  const made = real.mkdtempSync(prefix, options)
  if (isOurs(made)) record({ op: 'mkdir', path: placeOf(made) })
  return made
}
fs.rmSync = (place, options = {}) => {
  if (!isOurs(place)) return real.rmSync(place, options)
  const stats = real.lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined) return real.rmSync(place, options)
  if (!stats.isDirectory()) return fs.unlinkSync(place)
  if (options.recursive !== true) return real.rmSync(place, options)
  for (const name of real.readdirSync(place)) fs.rmSync(path.join(placeOf(place), name), options)
  fs.rmdirSync(place)
}

const recordUnmodelled = (owner, name, original, isRead) => {
  owner[name] = (...args) => {
    if (isWatched(args[0]) && !isRead(args)) record({ op: 'unmodelled', name, path: String(args[0]) })
    return original.apply(owner, args)
  }
}
const CHANGES = ['copyFile', 'cp', 'symlink', 'truncate', 'writev']
const ASYNCHRONOUS =
  'open write writeFile appendFile rename link unlink rm rmdir mkdir mkdtemp ftruncate fdatasync'.split(' ')
const readsOnly = (name) => (args) => name === 'open' && [undefined, 'r', 0].includes(args[1])
for (const name of CHANGES) recordUnmodelled(fs, `${name}Sync`, real[`${name}Sync`], () => false)
for (const name of [...CHANGES, ...ASYNCHRONOUS]) {
  recordUnmodelled(fs, name, real[name], readsOnly(name))
  const later = real.promises[name]
  if (later !== undefined) recordUnmodelled(real.promises, name, later, readsOnly(name))
}

const recordCalls = (owner, name, entryOf) => {
  const original = owner[name]
  owner[name] = function callAndRecord(...args) {
    const entry = entryOf(this, args[0])
    if (entry !== undefined) record(entry)
    return original.apply(this, args)
  }
}
recordCalls(net.Socket.prototype, 'write', ({ _isStdio: isStdio, fd }, data) => {
  const text = typeof data === 'string' ? data : Buffer.from(data).toString('latin1')
  return isStdio === true ? { op: 'say', fd, text } : { op: 'send', text }
})
recordCalls(net.Socket.prototype, 'push', ({ _isStdio: isStdio }, chunk) =>
  chunk === null || isStdio === true ? undefined : { op: 'receive' },
)
// Responses read into the program's own buffer (`onread`) do not pass through push().
const { connect } = net
const connectAndRecord = (options, ...rest) => {
  const { onread } = options
  if (onread === undefined) return connect(options, ...rest)
  const callback = (...args) => {
    record({ op: 'receive' })
    return onread.callback(...args)
  }
  return connect({ ...options, onread: { ...onread, callback } }, ...rest)
}
net.connect = connectAndRecord
net.createConnection = connectAndRecord
syncBuiltinESMExports()
process.on('exit', (code) => record({ op: 'exit', code }))
