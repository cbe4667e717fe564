import { Agent, request } from 'node:https'
import type { AgentOptions } from 'node:https'
import type { Client } from './transmit.ts'

/** A file of its own: node:https takes 3 ms to load, and calls to a loopback address do without it. */
export const createHttpsClient = (options: AgentOptions): Client => ({ agent: new Agent(options), request })
