// Locks a file as SQLite does, and keeps it. Usage: node lock-holder.mjs FILE
import { createRequire } from 'node:module'

const hasSqlite = Number(process.versions.node.split('.')[0]) >= 23
const { DatabaseSync } = createRequire(import.meta.url)(hasSqlite ? 'node:sqlite' : '@photostructure/sqlite')
const connection = new DatabaseSync(process.argv[2])
connection.exec('BEGIN EXCLUSIVE')
process.send('locked')
setInterval(() => connection.isOpen, 1000)
