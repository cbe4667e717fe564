import { mountPage } from '../page/mount.tsx'

mountPage(<h1>Checkout</h1>)
