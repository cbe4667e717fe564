// Locks a file as SQLite does, and keeps it, or lets it go after a while. Usage: node lock-holder.mjs FILE [MS]
import { createRequire } from 'node:module'

const hasSqlite = Number(process.versions.node.split('.')[0]) >= 23
const { DatabaseSync } = createRequire(import.meta.url)(hasSqlite ? 'node:sqlite' : '@photostructure/sqlite')
const [, , file, ms] = process.argv
const connection = new DatabaseSync(file)
connection.exec('BEGIN EXCLUSIVE')
process.send('locked')
if (ms === undefined) setInterval(() => connection.isOpen, 1000)
else
  setTimeout(() => {
    const until = Date.now()
    connection.close()
    process.send(until, () => process.disconnect())
  }, Number(ms))
