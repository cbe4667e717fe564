import { describeCutWire } from './cut-wire.ts'

describeCutWire(8)
