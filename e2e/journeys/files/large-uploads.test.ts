import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const inTable = (page: Page, name: string) =>
  page.getByRole('main').getByRole('row').filter({ hasText: name })

type SentFile = { name: string; mimeType: string; buffer: Buffer }

async function openMedia(page: Page, search = ''): Promise<void> {
  await page.goto(`/administration/media${search}`)
  await see(heading(page, 'Media'), page.getByText(/^Empty$|^\d+ (folder|file)/))
}

async function choose(page: Page, name: string, ...files: SentFile[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await button(page, name).click()
  await (await choosing).setFiles(files)
}

test(
  'a large upload whose connection breaks is paused, and goes on from where it was',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openMedia(page, '?folder=Logos')
    const film = { name: 'Film.bin', mimeType: 'video/mp4', buffer: randomBytes(9_000_000) }
    const offsets: string[] = []
    let isBroken = true
    await page.route('**/api/azure/upload-part*', async (route) => {
      const offset = new URL(route.request().url()).searchParams.get('offset') ?? ''
      if (isBroken && offset !== '0') return route.abort('connectionreset')
      offsets.push(offset)
      return route.continue()
    })
    await choose(page, 'Upload', film)
    await see(uploads(page).getByText(/^4.2 MB of 9 MB, waiting for the connection/))
    await button(page, 'Pause Film.bin').click()
    await see(uploads(page).getByText(/^Paused. 4.2 MB of 9 MB were uploaded./))
    isBroken = false
    await button(page, 'Resume Film.bin').click()
    await see(uploads(page).getByText('Uploaded, 9 MB'), inTable(page, 'Film.bin'))
    expect(offsets).toEqual(['0', '4194304', '8388608'])
  },
)

test(
  'an upload that ended with its page is offered again, and a file that the library has is asked about',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openMedia(page, '?folder=Logos')
    const name = `${randomUUID()}.txt`
    const words = Buffer.from(name)
    await choose(page, 'Upload', { name, mimeType: 'text/plain', buffer: words })
    await see(uploads(page).getByText('Uploaded, 40 bytes'))
    const [again, other] = ['again', 'other'].map((start) => ({
      name: `${start} ${name}`,
      mimeType: 'text/plain',
      buffer: words,
    }))
    if (again === undefined || other === undefined) throw new Error('There are two.')
    await choose(page, 'Upload', again, other)
    await see(uploads(page).getByText('The media library already has 2 of these files.'))
    await button(page, `Use the existing file instead of ${again.name}`).click()
    await see(uploads(page).getByText(`Not uploaded. The existing file is used: Logos/${name}`))
    await button(page, `Keep both: ${other.name}`).click()
    await see(inTable(page, other.name))
    expect(await inTable(page, again.name).count()).toBe(0)

    await page.getByRole('link', { name: 'Duplicates' }).click()
    const box = page.getByRole('checkbox', { name: `Select Logos/${other.name}` })
    await box.check()
    await button(page, 'Delete 1 file').click()
    await miss(box)
    await button(page, 'Undo').click()
    await see(box)

    await openMedia(page, '?folder=Logos')
    await page.route('**/api/azure/upload-part*', (route) =>
      route.request().url().includes('offset=0') ? route.continue() : route.abort('connectionreset'),
    )
    const sound = { name: 'Sound.bin', mimeType: 'audio/mp3', buffer: randomBytes(5_000_000) }
    await choose(page, 'Upload', sound)
    await see(uploads(page).getByText(/^4.2 MB of 5 MB/))
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await see(page.getByText('Sound.bin was uploaded up to 4.2 MB of 5 MB. Choose the same file to go on.'))
    await button(page, 'Discard the upload of Sound.bin').click()
    await miss(page.getByText(/Sound.bin was uploaded/))
  },
)
