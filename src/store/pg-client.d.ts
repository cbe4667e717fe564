/** The client alone: the whole package takes twice as long to load. */
declare module 'pg/lib/client.js' {
  import { Client } from 'pg'
  export = Client
}
