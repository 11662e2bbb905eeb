import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#e2e/harness/browser.ts'
import { largestPaint } from '#e2e/harness/largest-paint.ts'
import { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const PHOTOS = 30
const RUNS = 5
const GOOD_MS = 2_500
/** As a phone takes them: 12 megapixels, 2 to 4 MB. */
const SIZE = { width: 4_032, height: 3_024, noise: 6 }
const MADE_MS = 240_000

/** The largest contentful paint of a vehicle with 30 photos of a phone, and the bytes before it: the median of five. */
export async function measurePhotos(product: Product): Promise<Row[]> {
  const token = await signIn(product.address)
  const photo = await phonePhoto(SIZE)
  const id = await publishedVehicle(product, token)
  await addPhotos(product, { token, id, photo })
  const address = new URL(product.address)
  address.hostname = 'northgate.localhost'
  const browser = await launchBrowser()
  try {
    const warm = await browser.newPage({ baseURL: address.origin })
    const vehicle = await waitForPhotos(warm, `/v/${id}`)
    await warm.close()
    const times: number[] = []
    while (times.length < RUNS) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other: each has the machine to itself.
      const context = await browser.newContext({ baseURL: address.origin })
      // oxlint-disable-next-line no-await-in-loop
      times.push(await largestPaint(await context.newPage(), vehicle))
      // oxlint-disable-next-line no-await-in-loop
      await context.close()
    }
    const median = times.toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0
    return [
      {
        what: `largest contentful paint of a vehicle page with ${PHOTOS} photos of ${(photo.length / 1_000_000).toFixed(1)} MB, slow phone (4x CPU, 1.6 Mbit/s, 150 ms), empty cache, median of ${RUNS}`,
        measured: `${median.toFixed(0)} ms`,
        comparison: `limit ${GOOD_MS} ms ("good")`,
        ratio: (median / GOOD_MS).toFixed(2),
      },
    ]
  } finally {
    await browser.close()
  }
}

const List = z.object({ data: z.object({ results: z.array(z.object({ id: z.string() })) }) })

async function publishedVehicle(product: Product, token: string): Promise<string> {
  const asked = new URLSearchParams({ filter: 'published == "published"' })
  const answer = await fetch(`${product.address}${vehicles.list.path}?${asked}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const [first] = List.parse(await answer.json()).data.results
  if (first === undefined) throw new Error('The dealer has no published vehicle.')
  return first.id
}

type Added = { token: string; id: string; photo: Buffer }

async function addPhotos(product: Product, { token, id, photo }: Added): Promise<void> {
  for (let at = 0; at < PHOTOS; at += 1) {
    const body = new FormData()
    body.append('id', id)
    // Each is another file, and no duplicate: what follows the end of a JPEG is ignored.
    const bytes = Uint8Array.from([...photo, at])
    body.append('file', new Blob([bytes], { type: 'image/jpeg' }), `photo-${at}.jpg`)
    // oxlint-disable-next-line no-await-in-loop -- One after the other, as a phone sends them.
    const answer = await fetch(`${product.address}${vehiclePhotos.add.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
    // oxlint-disable-next-line no-await-in-loop
    if (!answer.ok) throw new Error(`Photo ${at} was not added: ${await answer.text()}`)
  }
}

/** Waits until the page has the photos and the widths of all of them are made, which a job does ahead. Returns its address. */
async function waitForPhotos(page: Page, vehicle: string): Promise<string> {
  const until = Date.now() + MADE_MS
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- Asked again until it is there.
    await page.goto(vehicle, { waitUntil: 'networkidle' })
    // oxlint-disable-next-line no-await-in-loop
    const shown = await page.locator('img[srcset]').count()
    if (shown >= PHOTOS) return new URL(page.url()).pathname
    if (Date.now() > until) throw new Error(`The page shows ${shown} of ${PHOTOS} photos.`)
    // oxlint-disable-next-line no-await-in-loop
    await wait(2_000)
  }
}
