import { mountPage } from '../page/mount.tsx'

mountPage(
  <main>
    <h1>Payments</h1>
  </main>,
)
