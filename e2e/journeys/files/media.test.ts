import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { largeUploads, PART_BYTES } from '#contract/files/large-uploads.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const inTable = (page: Page, name: string) =>
  page.getByRole('main').getByRole('row').filter({ hasText: name })
const more = (page: Page, name: string) => page.getByRole('button', { name: `More for ${name}` })

async function openMedia(page: Page, search = ''): Promise<void> {
  await page.goto(`/administration/media${search}`)
  await see(heading(page, 'Media'), page.getByText(/^Empty$|^\d+ (folder|file)/))
}

/** Chooses files with the Upload button. */
async function choose(
  page: Page,
  ...files: { name: string; mimeType: string; buffer: Buffer }[]
): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await button(page, 'Upload').click()
  await (await choosing).setFiles(files)
}

const text = (name: string, words: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(words) })

test('an administrator adds a folder, uploads to it, renames it and empties it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Media' }).click()
  await see(heading(page, 'Media'))

  await button(page, 'Add folder').click()
  await drawer(page).getByLabel('Name').fill('Winter -- tyres!')
  await see(drawer(page).getByText('The folder will be named Winter tyres.'))
  await button(page, 'Create folder').click()
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Winter tyres' }).click()
  await see(page.getByText('This folder is empty'))
  expect(new URL(page.url()).searchParams.get('folder')).toBe('Winter tyres')

  await choose(page, text('Offer.txt', 'first'), text('Überblick.txt', 'second'))
  await see(inTable(page, 'Offer.txt'), inTable(page, 'Überblick.txt'))
  await see(uploads(page).getByText('Uploaded, 5 bytes'))

  const coming = page.waitForEvent('download')
  await inTable(page, 'Offer.txt').getByRole('button', { name: 'Offer.txt', exact: true }).click()
  const file = await coming
  expect(file.suggestedFilename()).toBe('Offer.txt')
  expect((await readFile(await file.path())).toString()).toBe('first')

  await more(page, 'Offer.txt').click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await drawer(page).getByLabel('Name').fill('Angebot.txt')
  await button(page, 'Rename').click()
  await see(inTable(page, 'Angebot.txt'))

  await page.reload()
  await see(inTable(page, 'Angebot.txt'))
  await more(page, 'Angebot.txt').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await see(drawer(page).getByText('Delete Angebot.txt?'))
  await button(page, 'Delete file').click()
  await miss(inTable(page, 'Angebot.txt'))
  await see(inTable(page, 'Überblick.txt'))
})

test(
  'a second file with the same name is rejected in a dialog, and replaces the first only if confirmed',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openMedia(page, '?folder=Logos')
    const note = 'Note.txt'
    await choose(page, text(note, 'one'))
    await see(inTable(page, note))
    await choose(page, text(note, 'twenty'))
    await see(drawer(page).getByText(`A file named ${note} already exists here.`))
    await drawer(page).getByRole('button', { name: 'Close' }).click()
    await see(inTable(page, note).getByRole('cell', { name: '3 bytes', exact: true }))
    await button(page, `Replace ${note}`).click()
    await see(inTable(page, note).getByRole('cell', { name: '6 bytes', exact: true }))
    expect(await inTable(page, note).count()).toBe(1)
  },
)

test('a canceled upload leaves nothing behind', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openMedia(page, '?folder=Vehicles')
  const second = new RegExp(`${largeUploads.part.path}.*offset=${PART_BYTES}`)
  // The first part arrives, and the second isn't answered.
  await page.route(second, () => {})
  await choose(page, { name: 'long.bin', mimeType: 'video/mp4', buffer: Buffer.alloc(8_000_000, 7) })
  await see(uploads(page).getByRole('progressbar', { name: 'Progress: long.bin' }))
  await see(uploads(page).getByText(/^4.2 MB of 8 MB/))
  await button(page, 'Cancel long.bin').click()
  await see(uploads(page).getByText('Canceled'))
  await page.unroute(second)
  await page.reload()
  await see(inTable(page, 'F 150 front.png'))
  expect(await inTable(page, 'long.bin').count()).toBe(0)
})

test('files dropped onto the page are uploaded to the open folder', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'harbor.admin')
  await openMedia(page, '?folder=Logos')
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['dropped'], 'Dropped.txt', { type: 'text/plain' }))
    return data
  })
  const table = page.getByRole('table')
  await table.dispatchEvent('dragenter', { dataTransfer: transfer })
  await see(page.getByText('Drop files into Logos'))
  await table.dispatchEvent('drop', { dataTransfer: transfer })
  await see(inTable(page, 'Dropped.txt'))
  expect(await page.getByText('Drop files into Logos').count()).toBe(0)
})

test('a picture opens in a lightbox with its own URL, and back closes it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openMedia(page, '?folder=Campaigns%2FSummer%20sale')
  await page.getByRole('main').getByRole('link', { name: 'Hero evening.png' }).click()
  const picture = (name: string) => page.getByRole('img', { name })
  await see(picture('Hero evening.png'))
  expect(await picture('Hero evening.png').getAttribute('src')).toMatch(/^blob:/)
  await button(page, 'Next').click()
  await see(picture('Hero wide.png'))
  await expect.poll(() => new URL(page.url()).searchParams.get('picture')).toBe('Hero wide.png')
  await page.goBack()
  await miss(picture('Hero wide.png'))
  await see(page.getByText('Terms.txt').first())
})
