import { expect, test } from 'vitest'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { blankOf, checkFacility, followPlace, showField } from './facility-form.ts'

const organization: OrganizationProfile = {
  id: '1',
  name: 'Northgate Ford',
  logo: null,
  timeZone: 'UTC',
  legalName: null,
  industry: null,
  country: 'US',
  currency: null,
  fiscalYearStart: null,
  consolidation: null,
  address: null,
  city: null,
  region: 'CA',
  postalCode: null,
  contacts: [],
  facilities: 0,
  people: 1,
  steps: { organization: 'partly', facility: 'empty' },
  mayRename: true,
  archivedAt: null,
  archivedBy: null,
  version: 2,
  updatedAt: '2026-11-14T10:00:00Z',
  updatedBy: null,
}
const blank = blankOf(organization, '2026-11-21')
const named = { ...blank, code: 'ONE', name: 'One' }

test('a new facility starts with the location of its organization, owned since the start of the year', () => {
  expect([blank.country, blank.region, blank.floorUnit, blank.control[0]?.validFrom]).toEqual([
    'US',
    'CA',
    'ft2',
    '2026-01-01',
  ])
  expect(checkFacility(blank)).toEqual({ code: 'Code is required.', name: 'Name is required.' })
  expect(checkFacility(named)).toEqual({})
  expect(checkFacility({ ...named, openedOn: '2025-01-01' })).toEqual({
    control: 'The first row must start on or before the opening date.',
  })
})

test('a suggested grid region follows the location, a selected one stays', () => {
  const proposed = { ...named, ...followPlace(named, { postalCode: '95841' }) }
  expect(proposed.gridRegion).toBe('CAMX')
  expect(followPlace(proposed, { postalCode: '' })).toEqual({ postalCode: '', gridRegion: '' })
  const chosen = { ...proposed, gridRegion: 'NWPP' as const }
  expect(followPlace(chosen, { postalCode: '95842' })).toEqual({ postalCode: '95842' })
  expect(followPlace(chosen, { country: 'CA' })).toEqual({ country: 'CA', gridRegion: '' })
})

test('a comparison shows choices and rows as text', () => {
  const values = { ...named, lotId: '7', type: 'paint_shop' as const }
  const nameOf = (field: string, id: string) => `${field} ${id}`
  expect(
    ['type', 'lotId', 'parentId', 'country', 'control', 'city'].map((name) =>
      showField(name, values, nameOf),
    ),
  ).toEqual([
    'Paint shop',
    'lotId 7',
    'None',
    'United States',
    'From 2026-01-01: 100%, operational control, financial control',
    'None',
  ])
})
