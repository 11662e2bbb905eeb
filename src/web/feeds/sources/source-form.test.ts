import { expect, test } from 'vitest'
import { BLANK, checkSource, showField, toInput, toValues } from './source-form.ts'

const fetched = {
  ...BLANK,
  name: 'HomeNet',
  kind: 'sftp' as const,
  host: 'feeds.example',
  port: '2222',
  remotePath: '/out/stock.csv',
  userName: 'dealer',
  secret: 'hush',
}

test('sends only the settings of the chosen delivery method', () => {
  expect(toInput(fetched)).toMatchObject({ host: 'feeds.example', port: 2222, everyHours: 6, secret: 'hush' })
  expect(toInput({ ...fetched, secret: '' })).not.toHaveProperty('secret')
  expect(toInput({ ...fetched, kind: 'mail', senders: ['provider.example'], applies: 'automatic' })).toEqual({
    name: 'HomeNet',
    kind: 'mail',
    mappingId: null,
    lotIds: [],
    isActive: true,
    applies: 'automatic',
    senders: ['provider.example'],
    host: null,
    port: null,
    remotePath: null,
    userName: null,
    everyHours: null,
    dailyAt: null,
    afterFetch: 'keep',
    moveTo: null,
  })
  expect(toInput({ ...fetched, kind: 'upload', applies: 'automatic' }).applies).toBe('ask')
})

test('sends the after-fetch setting only for methods that support it', () => {
  const moved = { ...fetched, afterFetch: 'move' as const, moveTo: 'done' }
  expect(toInput(moved)).toMatchObject({ afterFetch: 'move', moveTo: 'done' })
  expect(toInput({ ...moved, afterFetch: 'delete' })).toMatchObject({ afterFetch: 'delete', moveTo: null })
  expect(toInput({ ...moved, kind: 'https' })).toMatchObject({ afterFetch: 'keep', moveTo: null })
  expect(toInput({ ...moved, kind: 'api' })).toMatchObject({ afterFetch: 'keep', moveTo: null })
  expect(checkSource(moved)).toEqual({})
  expect(checkSource({ ...moved, moveTo: ' ' })).toEqual({ moveTo: 'Folder is required.' })
  expect(checkSource({ ...moved, moveTo: '/out/' })).toEqual({
    moveTo: 'The file is already in this folder. Enter a different one.',
  })
  expect(Object.keys(checkSource({ ...moved, moveTo: '../other' }))).toEqual(['moveTo'])
  expect(showField('afterFetch', moved)).toBe('Move it to a folder')
})

test('reports missing and non-numeric values at their fields', () => {
  expect(checkSource(fetched)).toEqual({})
  expect(Object.keys(checkSource({ ...fetched, host: '', userName: '', port: 'x' })).toSorted()).toEqual([
    'port',
  ])
  expect(Object.keys(checkSource({ ...fetched, host: '', userName: '' })).toSorted()).toEqual([
    'host',
    'userName',
  ])
  expect(checkSource({ ...fetched, kind: 'upload', host: '' })).toEqual({})
})

test('round-trips a source through the form without showing its password', () => {
  const source = {
    ...toInput({ ...fetched, secret: '' }),
    id: '1',
    mappingName: null,
    hasSecret: true,
    hostKey: null,
    hasToken: false,
    lastRowCount: null,
    lastRunAt: null,
    nextRunAt: null,
    lastProblem: null,
    isReadOnly: false,
    version: 1,
    updatedAt: '2026-11-22T04:00:00Z',
    updatedBy: null,
  }
  expect(toInput(toValues(source))).toEqual(toInput({ ...fetched, secret: '' }))
  expect(showField('secret', fetched)).toBe('New')
})
