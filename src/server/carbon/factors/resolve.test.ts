import { expect, test } from 'vitest'
import { type FactorGas, GWP_SETS, type GwpValue, resolve } from '#contract/carbon/factors/resolve.ts'
import { GwpLine, readLibraryFile } from './library-files.ts'

const gwps: GwpValue[] = (await readLibraryFile('gwp.csv')).rows
  .map((row) => GwpLine.parse(row))
  .map((row) => ({
    gas: row.gas,
    gwpSet: row.gwp_set,
    gwp: row.gwp,
    isKyoto: row.is_kyoto,
    source: row.source,
    otherGwp: row.other_gwp,
    otherSource: row.other_source,
  }))
const gas = (name: string, kg: string, more: Partial<FactorGas> = {}): FactorGas => ({
  gas: name,
  kg,
  basis: 'gas',
  isBiogenic: false,
  ...more,
})
const co2eOf = (gases: readonly FactorGas[]) => GWP_SETS.map((set) => resolve({ gases }, set, gwps).co2e)

test('applies the GWP of the chosen report to kg of gas', () => {
  const diesel = [gas('CO2', '10.21'), gas('CH4', '0.00041'), gas('N2O', '0.00008')]
  expect(co2eOf(diesel)).toEqual(['10.24409', '10.24268', '10.24291'])
  expect(resolve({ gases: diesel }, 'AR5', gwps)).toMatchObject({
    isFixed: false,
    biogenicCo2: '0',
    otherCo2e: '0',
  })
})

test('a published total is used as is: its parts are not added, and the GWP set has no effect', () => {
  const uk = ['CO2e 0.20705', 'CO2 0.20493', 'CH4 0.0009', 'N2O 0.00122'].map((text) => {
    const [name = '', kg = ''] = text.split(' ')
    return gas(name, kg, { basis: 'co2e' })
  })
  expect(co2eOf(uk)).toEqual(['0.20705', '0.20705', '0.20705'])
  const { isFixed, gases } = resolve({ gases: uk }, 'AR6', gwps)
  expect({ isFixed, places: gases.map(({ place }) => place), gwps: gases.map(({ gwp }) => gwp) }).toEqual({
    isFixed: true,
    places: ['scope', 'part', 'part', 'part'],
    gwps: [null, null, null, null],
  })
})

test('without a total, parts in CO2e are added as they are', () => {
  const parts = [gas('CO2', '0.2', { basis: 'co2e' }), gas('CH4', '0.01', { basis: 'co2e' })]
  expect(co2eOf(parts)).toEqual(['0.21', '0.21', '0.21'])
})

test('biogenic CO2 stays outside the scopes, biogenic methane and nitrous oxide count', () => {
  const wood = [gas('CO2', '1640', { isBiogenic: true }), gas('CH4', '0.126'), gas('N2O', '0.063')]
  expect(resolve({ gases: wood }, 'AR5', gwps)).toMatchObject({ co2e: '20.223', biogenicCo2: '1640' })
  const outside = [gas('CO2', '0.16', { isBiogenic: true, basis: 'co2e' })]
  expect(resolve({ gases: outside }, 'AR5', gwps)).toMatchObject({ co2e: '0', biogenicCo2: '0.16' })
})

test('fugitive fossil methane has a higher GWP than methane from combustion', () => {
  expect(co2eOf([gas('CH4 fossil', '1')])).toEqual(['25', '30', '29.8'])
  expect(co2eOf([gas('CH4', '1')])).toEqual(['25', '28', '27'])
})

test('gases outside the Kyoto Protocol are reported separately', () => {
  const blend = [gas('HCFC-22', '0.53'), gas('HFC-152a', '0.13')]
  expect(resolve({ gases: blend }, 'AR5', gwps)).toMatchObject({ co2e: '17.94', otherCo2e: '932.8' })
})

test('a gas without a GWP gives no result instead of 0', () => {
  expect(resolve({ gases: [gas('CO2', '1'), gas('Unobtainium', '1')] }, 'AR5', gwps)).toMatchObject({
    co2e: null,
  })
})

test('returns the other value if two publishers differ', () => {
  const [row] = resolve({ gases: [gas('SF6', '1')] }, 'AR6', gwps).gases
  expect(row).toMatchObject({ gwp: '25200', otherGwp: '24300' })
})
