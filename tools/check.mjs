// `npm run check`: for every commit, without a browser.
import { quickSteps, unitStep } from './check-steps.mjs'
import { prepare, runCommand } from './setup.mjs'
import { conclude, runSteps } from './steps.mjs'

await runCommand(async () => {
  const node = await prepare()
  conclude(await runSteps(quickSteps(node), { atOnce: 2 }), await runSteps([unitStep(node)], { atOnce: 1 }))
})
