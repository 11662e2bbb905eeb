import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startCpuMeter } from './cpu-meter.mjs'

/** Uses this much CPU time and prints what it really used. */
const BURN = `
  const burn = (seconds) => {
    while (process.cpuUsage().user + process.cpuUsage().system < seconds * 1e6);
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
`
const { env } = process

function start(script, { environment = {}, ...options } = {}) {
  return spawn(process.execPath, ['-e', BURN + script], {
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
}

async function readNumbers(child) {
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  await once(child, 'close')
  return output.trim().split(/\s+/).map(Number)
}

/** The sum of the first numbers that a child prints while it goes on. */
async function readSum(child, count) {
  for (let text = ''; ;) {
    text += child.stdout.read() ?? ''
    const lines = text.split('\n').slice(0, -1)
    if (lines.length === count) return sum(lines.map(Number))
    await once(child.stdout, 'readable')
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/**
 * How many seconds two values differ beyond 5 percent or 0.2 s, whichever is more. Of many processes, beyond 0.06 s each: they
 * print what they used before they end, which takes CPU time, too.
 */
function excess(counted, used, processes = 1) {
  if (!(used > 0.15)) throw new Error(`The processes used ${used} s: too little to prove anything.`)
  return Math.max(0, Math.abs(counted - used) - Math.max(0.2, used * 0.05, processes * 0.06))
}

const canMeasure = existsSync('/proc/self/stat')

test.runIf(canMeasure)('the CPU time of a process is counted for its step', async () => {
  const meter = startCpuMeter()
  const one = start('console.log(burn(0.6))', { environment: meter.environmentOf('one') })
  const two = start('console.log(burn(0.3))', { environment: meter.environmentOf('two') })
  const [[first], [second]] = await Promise.all([
    readNumbers(one).then((numbers) => {
      meter.settle('one')
      return numbers
    }),
    readNumbers(two).then((numbers) => {
      meter.settle('two')
      return numbers
    }),
  ])
  meter.stop()
  expect(excess(meter.read().get('one'), first)).toBe(0)
  expect(excess(meter.read().get('two'), second)).toBe(0)
})

test.runIf(canMeasure)('children too short to be seen are counted through their parent', async () => {
  const meter = startCpuMeter()
  const parent = start(
    `const { spawnSync } = require('node:child_process')
     for (let round = 0; round < 6; round += 1) {
       const child = spawnSync(process.execPath, ['-e', ${JSON.stringify(BURN)} + 'console.log(burn(0.15))'])
       console.log(String(child.stdout))
     }
     console.log(burn(0.1))`,
    { environment: meter.environmentOf('short') },
  )
  const used = sum(await readNumbers(parent))
  meter.settle('short')
  meter.stop()
  expect(excess(meter.read().get('short'), used, 7)).toBe(0)
})

test.runIf(canMeasure)('a process that has lost its parent is counted', async () => {
  const meter = startCpuMeter()
  const parent = start(
    `const { spawn } = require('node:child_process')
     const orphan = ${JSON.stringify(BURN)} + 'console.log(burn(0.8)); process.stdin.resume().on("end", process.exit)'
     spawn(process.execPath, ['-e', orphan], { detached: true, stdio: 'inherit' }).unref()
     console.log(burn(0.1))`,
    { environment: meter.environmentOf('orphan'), stdio: ['pipe', 'pipe', 'inherit'] },
  )
  parent.once('exit', () => meter.settle('orphan'))
  const used = await readSum(parent, 2)
  meter.settle('orphan')
  parent.stdin.end()
  await once(parent, 'close')
  meter.stop()
  expect(excess(meter.read().get('orphan'), used)).toBe(0)
})

test.runIf(canMeasure)('a killed process is counted up to its end', async () => {
  const meter = startCpuMeter()
  const child = start('console.log(burn(0.5)); process.stdin.resume()', {
    environment: meter.environmentOf('killed'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const used = await readSum(child, 1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  meter.settle('killed')
  meter.stop()
  expect(excess(meter.read().get('killed'), used)).toBe(0)
})

test.runIf(canMeasure)('another run on the machine is not counted', async () => {
  const meter = startCpuMeter()
  const other = startCpuMeter()
  const mine = start('console.log(burn(0.2))', { environment: meter.environmentOf('mine') })
  const [used] = await readNumbers(mine)
  meter.settle('mine')
  meter.stop()
  other.stop()
  expect(excess(meter.read().get('mine'), used)).toBe(0)
  expect(other.read().get('mine')).toBeUndefined()
})

test.runIf(canMeasure)('a second on a machine of half the speed counts half', async () => {
  const meter = startCpuMeter({ speed: { current: () => 0.5 } })
  const child = start('console.log(burn(0.6))', { environment: meter.environmentOf('slow') })
  const [used] = await readNumbers(child)
  meter.settle('slow')
  meter.stop()
  expect(excess(meter.read().get('slow'), used / 2)).toBe(0)
})
