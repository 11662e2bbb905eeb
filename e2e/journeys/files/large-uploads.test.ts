import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

async function choose(page: Page, name: string, ...files: SentFile[] | [string]): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await button(page, name).click()
  const chooser = await choosing
  const [path] = files
  if (typeof path === 'string') await chooser.setFiles(path)
  else await chooser.setFiles(files.filter((file) => typeof file !== 'string'))
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
  'a file that the library has is asked about, and duplicates are deleted and restored',
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
  },
)

test(
  'an upload that ended with its page goes on when the same file is chosen again, or is discarded',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openMedia(page, '?folder=Logos')
    const folder = await mkdtemp(join(tmpdir(), 'large-'))
    const path = join(folder, 'Sound.bin')
    await writeFile(path, randomBytes(9_000_000))
    let isBroken = true
    const offsets: string[] = []
    await page.route('**/api/azure/upload-part*', (route) => {
      const offset = new URL(route.request().url()).searchParams.get('offset') ?? ''
      if (isBroken && offset !== '0') return route.abort('connectionreset')
      offsets.push(offset)
      return route.continue()
    })
    const leave = async () => {
      await see(uploads(page).getByText(/^4.2 MB of 9 MB/))
      // The browser asks whether to leave the page.
      page.once('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await see(page.getByText('Sound.bin was uploaded up to 4.2 MB of 9 MB. Choose the same file to go on.'))
    }
    await choose(page, 'Upload', path)
    await leave()
    isBroken = false
    await choose(page, 'Choose Sound.bin again', path)
    await see(uploads(page).getByText('Uploaded, 9 MB'), inTable(page, 'Sound.bin'))
    expect(offsets).toEqual(['0', '4194304', '8388608'])

    isBroken = true
    await page.goto('/administration/media?folder=Campaigns')
    await choose(page, 'Upload', path)
    await leave()
    await button(page, 'Discard the upload of Sound.bin').click()
    await miss(page.getByText(/Sound.bin was uploaded/))
    await rm(folder, { recursive: true })
  },
)
