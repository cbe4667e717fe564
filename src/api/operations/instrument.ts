import {
  defaultInstrument,
  instrument,
  instrumentList,
  listInstrumentsQuery,
  vaultRequest,
} from '../models/instrument.ts'
import { withSchemas } from './with-schemas.ts'

export const listInstruments = withSchemas('instrument.list', {
  query: listInstrumentsQuery,
  response: instrumentList,
})

export const setDefaultInstrument = withSchemas('instrument.default', { response: defaultInstrument })

export const deleteInstrument = withSchemas('instrument.delete', { response: instrument })

export const vaultInstrument = withSchemas('instrument.vault', {
  request: vaultRequest,
  addedIn21: ['verify'],
  response: instrument,
})
