import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakePhotoHost, startFakePhotoHost } from '#test/fakes/photo-host.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { publishPhotosAt } from '../harbor.ts'
import { call, type Session } from '../calling.ts'

const PHOTOS = 40
const home = resolve('.forecourt-test', `photos-${process.pid}`)
let host: FakePhotoHost
let product: Product

beforeAll(async () => {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const certificate = makeCertificate()
  await writeFile(join(home, 'photo-host.pem'), certificate.cert)
  host = await startFakePhotoHost(certificate)
})
afterAll(async () => {
  await product.stop()
  await host.close()
  await rm(home, { recursive: true, force: true })
})

async function start(): Promise<Session> {
  product = await startProduct(home, [], {
    FORECOURT_PRIVATE_ADDRESSES: '1',
    NODE_EXTRA_CA_CERTS: join(home, 'photo-host.pem'),
  })
  return { product, token: await signIn(product.address, 'harbor.admin') }
}

async function untilCopied(session: Session, id: string, least: number): Promise<number> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- One question at a time.
    const { copied } = await call(session, vehiclePhotos.copies, { id })
    if (copied >= least) return copied
    // oxlint-disable-next-line no-await-in-loop -- The product works in the meantime.
    await wait(100)
  }
}

test('photos are copied to the end although the server is killed halfway, each once', async () => {
  for (let n = 0; n < PHOTOS; n += 1) {
    const background = { r: n, g: 200, b: 90 }
    // oxlint-disable-next-line no-await-in-loop -- Small ones.
    const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .png()
      .toBuffer()
    host.photos.set(`/${n}.png`, { bytes, etag: `"${n}"` })
  }
  host.delayMs = 80
  let session = await start()
  const { results } = await call(session, vehicles.list, { filter: 'published == "published"' })
  const id = results?.[0]?.id ?? ''
  await publishPhotosAt(session, id, { port: Number(new URL(host.url).port), count: PHOTOS })
  for (const least of [8, 22]) {
    // oxlint-disable-next-line no-await-in-loop -- One kill after another.
    await untilCopied(session, id, least)
    // oxlint-disable-next-line no-await-in-loop -- One kill after another.
    await product.kill()
    // oxlint-disable-next-line no-await-in-loop -- One kill after another.
    session = await start()
  }
  expect(await untilCopied(session, id, PHOTOS)).toBe(PHOTOS)
  // What was asked for twice is what a killed server was copying.
  const times = Map.groupBy(host.requests, ({ path }) => path)
  expect(times.size).toBe(PHOTOS)
  expect(host.requests.length).toBeLessThanOrEqual(PHOTOS + 3)
  const files = await readdir(join(home, 'files/kept/photo-copies'), { recursive: true })
  expect(files.filter((name) => name.endsWith('original'))).toHaveLength(PHOTOS)
})
