import { expect, test } from 'vitest'
import { fakeAzureStorage, hasAzurite } from '#test/fakes/storage.ts'
import { describeStore } from '#test/suites/store.ts'

if (hasAzurite) describeStore('Azure', fakeAzureStorage)
test('Azurite is installed, so that the Azure storage is tested', () => {
  expect(hasAzurite).toBe(true)
})
