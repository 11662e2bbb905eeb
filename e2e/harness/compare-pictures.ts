import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { markDifferences } from './mark-differences.ts'

/** Chromium draws a few pixels of the corner of a focus ring differently from run to run. */
const MOST_STRAY_PIXELS = 8

type Folders = {
  before: string
  after: string
  /** For the pictures that show each difference. */
  differences: string
  /** Whether a picture in `before` should also be in `after`. */
  isWanted: (file: string) => boolean
}

/** Compares the pictures of two folders, and returns a sentence for each that differs, is new or is missing. */
export async function comparePictures(browser: Browser, folders: Folders): Promise<string[]> {
  const before = new Set((await listPictures(folders.before)).filter(folders.isWanted))
  const after = new Set(await listPictures(folders.after))
  await mkdir(folders.differences, { recursive: true })
  const page = await browser.newPage()
  await page.addScriptTag({ content: markDifferences.toString() })
  const found: string[] = []
  for (const file of [...new Set([...before, ...after])].toSorted()) {
    if (!before.has(file)) found.push(`${file} is new`)
    else if (!after.has(file)) found.push(`${file} is missing`)
    else {
      const share = await compareFile(page, file, folders)
      if (share > 0) found.push(`${file} differs in ${(share * 100).toPrecision(2)}% of its pixels`)
    }
  }
  await page.close()
  return found
}

async function listPictures(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.png'))
}

/** Returns the share of pixels that differ, and saves a picture of them. */
async function compareFile(page: Page, file: string, folders: Folders): Promise<number> {
  const before = await readFile(join(folders.before, file))
  const after = await readFile(join(folders.after, file))
  if (before.equals(after)) return 0
  const { differing, share, picture } = await page.evaluate(compareInBrowser, {
    before: before.toString('base64'),
    after: after.toString('base64'),
  })
  if (differing <= MOST_STRAY_PIXELS) return 0
  await writeFile(join(folders.differences, file), Buffer.from(picture, 'base64'))
  return share
}

/** Runs in the browser, which can read and write pictures. Draws before, after and the difference side by side. */
async function compareInBrowser(given: {
  before: string
  after: string
}): Promise<{ differing: number; share: number; picture: string }> {
  const read = async (picture: string) => {
    const image = new Image()
    image.src = `data:image/png;base64,${picture}`
    await image.decode()
    return image
  }
  const before = await read(given.before)
  const after = await read(given.after)
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const canvas = document.createElement('canvas')
  canvas.width = 3 * width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser has no canvas.')
  context.drawImage(before, 0, 0)
  context.drawImage(after, width, 0)
  const marked = context.createImageData(width, height)
  const differing = markDifferences(
    context.getImageData(0, 0, width, height).data,
    context.getImageData(width, 0, width, height).data,
    marked.data,
  )
  context.putImageData(marked, 2 * width, 0)
  return {
    differing,
    share: differing / (width * height),
    picture: canvas.toDataURL('image/png').split(',')[1] ?? '',
  }
}
