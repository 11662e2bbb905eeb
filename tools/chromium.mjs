import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { projectFolder } from './setup.mjs'
import { runProgram } from './run-program.mjs'

/**
 * The path of a Chromium: the one in CHROMIUM, an installed one, Debian's package (which root installs now), or
 * Playwright's download. Throws an error of one line when there is none.
 */
export async function findChromium() {
  if (process.env.CHROMIUM) {
    if (existsSync(process.env.CHROMIUM)) return process.env.CHROMIUM
    throw new Error(`CHROMIUM is ${process.env.CHROMIUM}, which does not exist.`)
  }
  const found = findInstalled() ?? (await installFromDebian()) ?? (await findPlaywrights())
  if (found) return found
  throw new Error(
    'No Chromium was found. Install one (apt-get install chromium), or set CHROMIUM to the path of one.',
  )
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function findInstalled() {
  const folders = ['/usr/bin', '/snap/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, MAC].find((path) => existsSync(path)) ?? null
}

async function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  console.log('Installing Chromium with apt-get for the browser tests.')
  const options = { cwd: projectFolder, isQuiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const install = () =>
    runProgram('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
  if ((await install()).code !== 0) {
    await runProgram('apt-get', ['update'], options)
    await install()
  }
  return findInstalled()
}

async function findPlaywrights() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache', 'ms-playwright')
  const versions = await readdir(cache).catch(() => [])
  return (
    versions
      .filter((name) => name.startsWith('chromium-'))
      .flatMap((name) =>
        ['chrome-linux64', 'chrome-linux'].map((folder) => join(cache, name, folder, 'chrome')),
      )
      .find((path) => existsSync(path)) ?? null
  )
}
