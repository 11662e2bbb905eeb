// `npm run check`: for every commit, without a browser.
import { describeTime } from './budget.mjs'
import { quickSteps, unitStep } from './check-steps.mjs'
import { startCpuMeter } from './cpu-meter.mjs'
import { prepare, runCommand } from './setup.mjs'
import { conclude, runSteps } from './steps.mjs'

await runCommand(async () => {
  const node = await prepare()
  const started = Date.now()
  const meter = startCpuMeter()
  const total = await runSteps([...quickSteps(node), unitStep(node)], { cores: 2, meter })
  meter?.stop()
  const seconds = [...(meter?.read().values() ?? [])].reduce((sum, used) => sum + used, 0)
  const cpu = meter === null ? '' : `, ${seconds.toFixed(0)} CPU seconds`
  console.log(`${describeTime(Date.now() - started)}${cpu}`)
  conclude(total)
})
