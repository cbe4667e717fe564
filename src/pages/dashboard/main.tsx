import { startLive } from '../page/live.ts'
import { mountPage } from '../page/mount.tsx'
import { Frame } from './frame.tsx'

startLive()
mountPage(<Frame />)
