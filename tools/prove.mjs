// `npm run prove`: the long proofs (hard kills, large data, full accessibility), for every issue rather than commit.
import { findChromium } from './chromium.mjs'
import { buildWeb, prepare, runCommand } from './setup.mjs'
import { conclude, runSteps, suiteStep } from './steps.mjs'

await runCommand(async () => {
  const node = await prepare()
  await buildWeb(node)
  const CHROMIUM = await findChromium().catch(() => undefined)
  const proofs = suiteStep({ name: 'proofs', node, project: 'prove', env: { CHROMIUM } })
  conclude(await runSteps([proofs], { atOnce: 1 }))
})
