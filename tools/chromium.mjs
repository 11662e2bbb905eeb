import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { projectFolder } from './setup.mjs'
import { runProgram } from './run-program.mjs'

/**
 * The path of a Chromium: the one in CHROMIUM, an installed headless shell, Debian's package of it (which root installs
 * now), any installed one, or Playwright's download. Throws a one-line error if there is none. The headless shell
 * draws the same pages without the windows and menus of a browser, which take a tenth of the tests' CPU time.
 */
export async function findChromium() {
  if (process.env.CHROMIUM) {
    if (existsSync(process.env.CHROMIUM)) return process.env.CHROMIUM
    throw new Error(`CHROMIUM is ${process.env.CHROMIUM}, which does not exist.`)
  }
  const found =
    findInstalled([SHELL]) ??
    (await installFromDebian(SHELL)) ??
    findInstalled(NAMES) ??
    (await installFromDebian('chromium')) ??
    (await findPlaywrights())
  if (found) return found
  throw new Error(
    'No Chromium was found. Install one (apt-get install chromium), or set CHROMIUM to the path of one.',
  )
}

const SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function findInstalled(names) {
  const folders = ['/usr/bin', '/snap/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  if (names === NAMES) candidates.push(MAC)
  return candidates.find((path) => existsSync(path)) ?? null
}

async function installFromDebian(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  console.log(`Installing ${name} with apt-get for the browser tests.`)
  const options = { cwd: projectFolder, isQuiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const install = () => runProgram('apt-get', ['install', '-y', '--no-install-recommends', name], options)
  if ((await install()).code !== 0) {
    await runProgram('apt-get', ['update'], options)
    await install()
  }
  return findInstalled([name])
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
