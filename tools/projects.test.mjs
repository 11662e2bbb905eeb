import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

test('every project of vitest.config.ts is run by npm test or is a part of npm run prove', async () => {
  const { default: config } = await import(pathToFileURL(resolve('vitest.config.ts')).href)
  const projects = config.test.projects.map((project) => project.test.name)
  const others = projects.filter((name) => !name.startsWith('prove-'))
  // A new one needs a step in tools/test.mjs.
  expect(others).toEqual(['unit', 'unit-web', 'api', 'api-postgres15', 'e2e'])
})
