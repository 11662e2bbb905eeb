import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, heading, miss, see, signIn } from '#e2e/harness/steps.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'

const { page: newPage } = stage()

const inTable = (page: Page, name: string) =>
  page.getByRole('main').getByRole('row').filter({ hasText: name })
const open = async (page: Page, folder: string) => {
  await page.goto(`/administration/media?folder=${encodeURIComponent(folder)}`)
  await see(heading(page, 'Media'), page.getByText(/^Empty$|^\d+ (folder|file)/))
}
async function addFolder(page: Page, name: string): Promise<void> {
  await button(page, 'Add folder').click()
  await drawer(page).getByLabel('Name').fill(name)
  await button(page, 'Create folder').click()
  await see(inTable(page, name))
}

test(
  'pictures show small, selected files move with the keyboard, names that are taken are asked about, and an undo brings them back',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/administration/media')
    await see(heading(page, 'Media'))
    await addFolder(page, 'Moving')
    await open(page, 'Moving')
    await addFolder(page, 'Archive')
    const photo = { name: 'Front.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto() }
    const broken = { ...photo, name: 'Broken.jpg', buffer: photo.buffer.subarray(0, 200) }
    const words = { name: 'List.txt', mimeType: 'text/plain', buffer: Buffer.from('one') }
    const choose = async (...files: (typeof photo)[]) => {
      const choosing = page.waitForEvent('filechooser')
      await button(page, 'Upload').click()
      await (await choosing).setFiles(files)
    }
    await choose(photo, broken, words)
    await see(inTable(page, 'List.txt'), inTable(page, 'Front.jpg').locator('img'))
    expect(await inTable(page, 'Broken.jpg').locator('img').count()).toBe(0)

    await page.getByLabel('Select Front.jpg').check()
    await page.getByLabel('Select List.txt').check()
    const selected = page.getByRole('region', { name: 'Selected items' })
    await see(selected.getByText('2 selected'))
    await selected.getByRole('button', { name: 'Move' }).press('Enter')
    await drawer(page).getByRole('radio', { name: 'Archive' }).press('Space')
    await drawer(page).getByRole('button', { name: 'Move to Archive' }).press('Enter')
    await see(page.getByText('2 items moved to Archive'))
    await miss(inTable(page, 'List.txt'))
    await button(page, 'Undo').click()
    await see(inTable(page, 'List.txt'), inTable(page, 'Front.jpg'))

    await page.getByRole('button', { name: 'More for Front.jpg' }).click()
    await page.getByRole('menuitem', { name: 'Alternative text' }).click()
    await drawer(page).getByLabel('Alternative text').fill('The front of a red truck')
    await page.keyboard.press('Control+s')
    await see(inTable(page, 'Front.jpg').getByText('The front of a red truck'))
    await page.getByLabel('No alt text').check()
    await miss(inTable(page, 'Front.jpg'), inTable(page, 'List.txt'))
    await see(inTable(page, 'Broken.jpg'))

    await open(page, 'Moving/Archive')
    await choose({ ...words, buffer: Buffer.from('another') })
    await see(inTable(page, 'List.txt'))
    await open(page, 'Moving')
    await page.getByRole('button', { name: 'More for List.txt' }).click()
    await page.getByRole('menuitem', { name: 'Move' }).click()
    await drawer(page).getByRole('radio', { name: 'Archive' }).check()
    await drawer(page).getByRole('button', { name: 'Move to Archive' }).click()
    await see(drawer(page).getByText('already has a file or folder with this name'))
    await button(page, 'Keep both, with a number').click()
    await see(page.getByText('List.txt moved to Archive'))
    await open(page, 'Moving/Archive')
    await see(inTable(page, 'List 2.txt'))
  },
)
