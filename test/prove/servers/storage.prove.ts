import { expect, test } from 'vitest'
import { azureTwin, hasAzurite } from '#test/fakes/storage.ts'
import { describeStore } from '#test/suites/store.ts'

if (hasAzurite) describeStore('Azure', azureTwin)
test('Azurite is installed, so that the store in Azure was tested', () => {
  expect(hasAzurite).toBe(true)
})
