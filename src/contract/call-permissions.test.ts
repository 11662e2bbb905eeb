import { expect, test } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { contract } from './index.ts'
import { Opr } from './permissions.ts'

/** The operation that a call requires, by its name. */
const BY_NAME: Readonly<Record<string, number>> = {
  list: Opr.list,
  get: Opr.read,
  add: Opr.create,
  update: Opr.update,
  change: Opr.update,
  remove: Opr.delete,
  removeMany: Opr.delete,
  delete: Opr.delete,
}

/**
 * A facility belongs to its organization's profile and a photo to its vehicle. Feed sources are managed by those who run
 * feeds, targets and actions belong to their assessment, and received messages are read with their text. Group totals, the dashboard and response times are not records that can
 * be read.
 */
const EXCEPTIONS: Readonly<Record<string, number>> = {
  'facilities.remove': Opr.update,
  'feedSources.add': Opr.execute,
  'feedSources.update': Opr.execute,
  'feedSources.remove': Opr.execute,
  'feedRuns.add': Opr.execute,
  'assessmentTargets.add': Opr.update,
  'assessmentTargets.remove': Opr.update,
  'assessmentActions.add': Opr.update,
  'assessmentActions.remove': Opr.update,
  'inboundMessages.list': Opr.read,
  // It says what uses each file.
  'sameFiles.list': Opr.read,
  // The caller's own uploads.
  'largeUploads.list': Opr.create,
  'vehiclePhotos.add': Opr.update,
  'carbonGroup.get': Opr.list,
  'dashboard.get': Opr.list,
  'leadResponses.get': Opr.list,
  // The list of templates already contains their texts.
  'answerTemplates.get': Opr.list,
}

const named = Object.entries(contract).flatMap(([group, calls]) =>
  Object.entries<Endpoint>(calls).flatMap(([name, { allow }]) => {
    const required = EXCEPTIONS[`${group}.${name}`] ?? BY_NAME[name]
    if (required === undefined || typeof allow !== 'object' || !('opr' in allow)) return []
    return [{ call: `${group}.${name}`, opr: allow.opr, required }]
  }),
)

test('every call requires the operation that its name implies', () => {
  expect(named.length).toBeGreaterThan(90)
  expect(named.filter(({ opr, required }) => opr !== required)).toEqual([])
})

test('every call that takes data out without being a file says what, so that the log can name it', () => {
  const all = Object.entries(contract).flatMap(([domain, calls]) =>
    Object.entries<Endpoint>(calls).map(([key, call]) => ({ name: `${domain}.${key}`, call })),
  )
  const silent = all.filter(
    ({ call: { allow, kind, takesOut } }) =>
      kind === 'json' &&
      takesOut === undefined &&
      typeof allow === 'object' &&
      'opr' in allow &&
      allow.opr === Opr.export,
  )
  expect(silent.map(({ name }) => name)).toEqual([])
  expect(all.filter(({ call }) => call.takesOut !== undefined)).toHaveLength(3)
})
