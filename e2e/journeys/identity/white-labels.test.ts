// @module-tag release
import { join } from 'node:path'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawLogo, paintPng } from '../../../demo/pictures.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, signIn, signInByForm } from '#e2e/harness/steps.ts'

const { page: newPage, profile, product } = stage()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-brand-'))
  await writeFile(join(folder, 'logo.svg'), drawLogo('N', '#7a1fa2'))
  await writeFile(join(folder, 'active.svg'), '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"></svg>')
  await writeFile(join(folder, 'icon.png'), paintPng({ width: 32, height: 32 }, [1, 2, 3], [4, 5, 6]))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A new visitor to the same product on another domain. */
const strangerAt = async (host: string) => {
  const address = new URL(product().address)
  address.hostname = host
  return (await profile({ address: address.origin })).newPage()
}

test('an administrator adds a domain with a live preview, and visitors see its branding', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/domain-white-label')
  await see(heading(page, 'White label'), page.getByRole('link', { name: 'office.northgate.example' }))
  await button(page, 'Add domain').first().click()
  await field(page, 'Domain').fill('https://northgate-office.localhost')
  await button(page, 'Add domain').last().click()
  await see(drawer(page).getByText(/^Enter a domain/), drawer(page).getByText('Title is required.'))

  await field(page, 'Domain').fill('northgate-office.localhost')
  await field(page, 'Title').fill('Northgate Office')
  await field(page, 'Color').fill('#ffd400')
  await see(drawer(page).getByText(/^Light: .*adjusted/), drawer(page).getByText(/^Dark: #ffd400, unchanged/))
  await field(page, 'Footer').fill('<p>Hello <b>there</b><script>window.broken = 1</script></p>')
  const preview = drawer(page).getByRole('figure', { name: 'Light: Northgate Office' })
  await see(preview.getByText('Sign in | Northgate Office'), preview.getByText('Hello there'))
  await drawer(page).locator('input[type=file]').first().setInputFiles(join(folder, 'active.svg'))
  await button(page, 'Add domain').last().click()
  await see(drawer(page).getByText(/contains scripts/))
  await drawer(page).locator('input[type=file]').first().setInputFiles(join(folder, 'logo.svg'))
  await drawer(page).locator('input[type=file]').last().setInputFiles(join(folder, 'icon.png'))
  await button(page, 'Add domain').last().click()
  await page.waitForURL(/domain=\d+/)
  await see(drawer(page).getByText('Verified'))
  expect(await field(page, 'Footer').inputValue()).toBe('<p>Hello <b>there</b></p>')

  const stranger = await strangerAt('northgate-office.localhost')
  await stranger.goto('/auth/signin')
  await see(stranger.getByText('Northgate Office back office'), stranger.getByText('Hello there'))
  await expect.poll(() => stranger.title()).toBe('Sign in | Northgate Office')
  const look = await stranger.evaluate(() => ({
    brand: getComputedStyle(document.documentElement).getPropertyValue('--fc-brand-fill'),
    icon: document.getElementById('favicon')?.getAttribute('href') ?? '',
    hasLogo: [...document.querySelectorAll('img.fc-mark')].some(
      (each) => each instanceof HTMLImageElement && each.naturalWidth > 0,
    ),
  }))
  expect(look).toMatchObject({ icon: expect.stringContaining('/api/auth/brand-picture/'), hasLogo: true })
  expect(look.brand).not.toBe('#0b6e4f')
  await signInByForm(stranger, 'northgate.dealer')
  await see(stranger.getByRole('contentinfo').getByText('Hello there'))

  await button(page, 'Remove domain').click()
  await page
    .getByRole('dialog', { name: 'Remove northgate-office.localhost?' })
    .getByRole('button', { name: 'Remove domain' })
    .click()
  await miss(page.getByRole('link', { name: 'northgate-office.localhost' }))
  await stranger.goto('/dashboard')
  await miss(stranger.getByText('Hello there'))
})
