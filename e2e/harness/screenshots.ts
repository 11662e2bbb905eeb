// `npm run screenshots`: every view of every page as its usual user, in all sights: both schemes, widths and directions.
// `npm run screenshots -- lots user` takes only views whose names start with these words. Options:
//   --compare <folder>  compares with the pictures of an earlier run, and fails if a view differs, is new or is missing
//   --out <folder>      instead of screenshots/
//   --sights light,dark,rtl,phone
//   --everyone          then every page once as every other demo user, into the folder others/
// A commit gives the same pictures in each run.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { DEMO_WORLD } from '../../demo/world.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { launchBrowser } from './browser.ts'
import { comparePictures } from './compare-pictures.ts'
import { VIEWS } from '#e2e/pages/pages.ts'
import { homeOf } from './people.ts'
import { BROWSER_TIME, photograph, PRODUCT_STARTS_AT } from './photographer.ts'
import { startProduct } from './product.ts'
import { readScreenshotOptions, sightOf, suffixOf } from './screenshot-options.ts'
import { createSession, type StoredSession } from './sessions.ts'

const YEAR_SECONDS = '31536000'
const SIGNED_OUT: StoredSession = { cookies: [], origins: [] }

const options = readScreenshotOptions(process.argv.slice(2), join(import.meta.dirname, '../..'))
const others = join(options.out, 'others')
const differences = join(options.out, 'differences')
const shots = VIEWS.filter(({ name }) => options.isWanted(name))
/** The accounts that see every page with `--everyone`. */
const accounts = options.forEveryone
  ? DEMO_WORLD.flatMap(({ people }) =>
      people.flatMap(({ userName, isAnnounced }) => (isAnnounced ? [userName] : [])),
    )
  : []

/** Removes the pictures of an earlier run, and nothing else that the folder may hold. */
async function emptyFolder(): Promise<void> {
  await mkdir(options.out, { recursive: true })
  for (const name of await readdir(options.out)) if (name.endsWith('.png')) await rm(join(options.out, name))
  for (const folder of [others, differences]) await rm(folder, { recursive: true, force: true })
  if (options.forEveryone) await mkdir(others)
}

/** Signs all users in before the first page is opened, so that the times of sign-ins are always the same. */
async function signInAll(address: string): Promise<ReadonlyMap<string | null, StoredSession>> {
  const sessions = new Map<string | null, StoredSession>()
  for (const person of new Set([...shots.map((shot) => shot.person), ...accounts])) {
    if (person === null) continue
    const given = { userName: person, organization: homeOf(person), now: Date.parse(BROWSER_TIME) }
    sessions.set(person, await createSession(address, given))
  }
  return sessions
}

/** Returns a sentence for each view that could not be taken. */
async function takeAll(browser: Browser, address: string): Promise<string[]> {
  const failures: string[] = []
  const sessions = await signInAll(address)
  const { sights, out } = options
  // The users with few views first, because one of them waits for a code, and for that a session lasts only minutes.
  const groups = [...Map.groupBy(shots, (shot) => shot.person)]
  for (const [user, views] of groups.toSorted(([, some], [, more]) => some.length - more.length)) {
    const session = sessions.get(user) ?? SIGNED_OUT
    const person = user ?? 'nobody'
    failures.push(...(await photograph({ browser, address, session, person, views, sights, folder: out })))
    console.log(`${person}: ${views.length} views in ${sights.length} sights`)
  }
  // Any user may try to open these views. Those found through a list don't exist for everyone.
  const open = shots.filter(({ person, url }) => person !== null && typeof url === 'string')
  for (const person of accounts) {
    // A page the user can't open never becomes complete: the screenshot shows what appears instead.
    const views = open
      .filter((view) => view.person !== person)
      .map((view) => ({ ...view, whole: async () => {} }))
    const session = sessions.get(person) ?? SIGNED_OUT
    const given = { browser, address, session, person, views, sights: [sightOf('light')], folder: others }
    failures.push(...(await photograph(given)))
    console.log(`${person}: ${views.length} more views`)
  }
  return failures
}

/** Returns a sentence for each view that differs from the earlier run. */
async function compareWith(before: string, browser: Browser): Promise<string[]> {
  const suffixes = options.sights.map(suffixOf)
  const found = await comparePictures(browser, {
    before,
    after: options.out,
    differences,
    isWanted: (file) => options.isWanted(file) && suffixes.some((suffix) => file.endsWith(suffix)),
  })
  console.log(found.length === 0 ? 'No picture differs.' : `${found.length} pictures differ: ${differences}`)
  return found
}

await emptyFolder()
const product = await startProduct({
  FORECOURT_CLOCK: PRODUCT_STARTS_AT,
  FORECOURT_SECRET: TEST_SECRET,
  // Pages show the product's address.
  PORT: '28480',
  // No session ends or is renewed during the run.
  FORECOURT_TOKEN_SECONDS: YEAR_SECONDS,
  FORECOURT_IDLE_SECONDS: YEAR_SECONDS,
})
try {
  const browser = await launchBrowser()
  const failures = await takeAll(browser, product.address)
  if (options.before !== null) failures.push(...(await compareWith(options.before, browser)))
  await browser.close()
  for (const failure of failures) console.log(failure)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  await product.end()
}
