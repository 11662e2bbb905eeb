import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pathParameters } from '#contract/endpoint.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'

const Schema = z.record(z.string(), z.unknown())
const Operation = z.strictObject({
  operationId: z.string().min(1),
  tags: z.array(z.string()),
  summary: z.string().regex(/\.$/),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean(),
        description: z.string().optional(),
        schema: Schema,
      }),
    )
    .optional(),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: Schema })) }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: z.record(z.string(), z.object({ schema: Schema })) }),
  ),
})
const Document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post', 'delete']), Operation)),
  components: z.object({ securitySchemes: z.record(z.string(), z.unknown()) }),
})

let forecourt: TestApp
let raw: unknown
let document: z.output<typeof Document>
beforeAll(async () => {
  forecourt = await testApp()
  const { text } = await forecourt.anonymous.send({ method: 'GET', url: '/api/openapi.json' })
  raw = JSON.parse(text)
  document = Document.parse(raw)
})
afterAll(() => forecourt.close())

const find = (method: string, path: string) =>
  Object.entries(document.paths[path] ?? {}).find(([verb]) => verb === method.toLowerCase())?.[1]

describe.for(everyCase)('$name', ({ name, endpoint, input }) => {
  test('is in the document with its own name', () => {
    expect(find(endpoint.method, endpoint.path)?.operationId).toBe(name)
  })

  test('describes its path parameters and input fields', async () => {
    const operation = find(endpoint.method, endpoint.path)
    const participant = { id: '1', participantId: '1', targetId: '1', assessmentId: '1' }
    const place = {
      customerId: '1',
      organizationId: '1',
      call: () => Promise.reject(new Error('Inputs need no call.')),
      upload: one,
      insert: one,
      addLot: one,
      addLeadMove: one,
      addVehicle: one,
      removeVehicle: async () => {},
      addSpecialPrice: async () => {},
      addCustomer: one,
      addOrganization: one,
      addMember: one,
      createUser: one,
      userType: one,
      addUserType: one,
      addMail: one,
      addHandler: one,
      addFacility: one,
      addInventory: one,
      addChosenFacility: one,
      addSource: one,
      addApproval: one,
      addReopening: one,
      addCustomSource: one,
      addRecord: async () => ({
        inventoryId: '1',
        facilityId: '1',
        sourceId: '1',
        recordId: '1',
        day: '2025-01-01',
      }),
      addResult: one,
      addInstrument: one,
      addImport: one,
      addEvidence: one,
      addRequest: one,
      addImported: async () => ({ inventoryId: '1', batchId: '1' }),
      addMapping: one,
      addFeedSource: one,
      addFeedRun: one,
      addDomain: one,
      addSuppressed: one,
      addLead: one,
      addPerson: one,
      addMerge: one,
      addContact: one,
      addInboundAddress: one,
      addInboundMessage: one,
      addLeadFile: one,
      addLeadDestination: one,
      addLeadRule: one,
      addAnswerTemplate: one,
      addLeadDelivery: one,
      addForm: async () => ({ id: '1', key: 'form', version: 1 }),
      addSubmission: one,
      addFormFile: one,
      addShortUrl: one,
      addImportedList: one,
      addCampaign: async () => ({ id: '1', lotId: '1', version: 1 }),
      addPage: async () => ({ id: '1', slug: 'page', name: 'Page', title: 'Page', version: 1 }),
      addLayout: one,
      addSavedBlocks: one,
      draftAssessment: async () => ({ id: '1', targetId: '1', version: 1 }),
      addAssessment: async () => ({ id: '1', targetId: '1', version: 1 }),
      submitAssessment: async () => ({ id: '1', targetId: '1', version: 1 }),
      snapshotOf: one,
      addAssessmentComment: one,
      addDelegation: one,
      addTargetReopening: one,
      addAction: one,
      addParticipant: async () => participant,
      addOwnTarget: async () => participant,
      linkOf: one,
      openLink: async () => Promise.reject(new Error('The document needs no session.')),
      asParticipant: async () => Promise.reject(new Error('The document needs no session.')),
      draftQuestionnaire: async () => ({ id: '1', key: 'check', name: 'Check', version: 1 }),
      addQuestionnaire: async () => ({ id: '1', key: 'check', name: 'Check', version: 1 }),
      addAdvertisedPrice: async () => '1',
      addPricingRule: async () => '1',
      addRuleRequest: async () => '1',
      addChannel: one,
      addValueMapping: one,
      addUnmapped: one,
      addUnmatched: one,
      addFactor: one,
      addDataset: one,
      addJob: one,
      addView: one,
      addSession: one,
      addAuditEntry: one,
      addPasswordLink: one,
      token: one,
    }
    const sent = Object.keys(Schema.parse(await input(place)))
    const bodies = Object.values(operation?.requestBody?.content ?? {}).map(({ schema }) =>
      JSON.stringify(schema),
    )
    const named = operation?.parameters?.map((parameter) => parameter.name) ?? []
    const missing = sent.filter(
      (field) => !named.includes(field) && !bodies.some((body) => body.includes(`"${field}"`)),
    )
    const inPath = operation?.parameters
      ?.filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name)
    expect({ missing, inPath: inPath ?? [] }).toEqual({ missing: [], inPath: pathParameters(endpoint.path) })
  })

  test('requires a token unless anyone may call', () => {
    const isOpen = endpoint.allow === 'anyone'
    expect(find(endpoint.method, endpoint.path)?.security).toEqual(isOpen ? undefined : [{ bearer: [] }])
  })
})

const one = () => Promise.resolve('1')

test('the document has only operations of the contract', () => {
  const paths = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((verb) => `${verb} ${path}`),
  )
  expect(paths.toSorted()).toEqual(
    everyCase.map(({ endpoint }) => `${endpoint.method.toLowerCase()} ${endpoint.path}`).toSorted(),
  )
})

test('operation names are unique', () => {
  const names = Object.values(document.paths).flatMap((verbs) =>
    Object.values(verbs).map((operation) => operation.operationId),
  )
  expect(new Set(names).size).toBe(names.length)
})

test('every reference in the document resolves', () => {
  const references = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('$ref' in value) references.add(String(value.$ref))
    Object.values(value).forEach(walk)
  }
  walk(raw)
  const resolves = (reference: string): boolean => {
    let at: unknown = raw
    for (const part of reference.split('/').slice(1)) {
      at =
        typeof at === 'object' && at !== null
          ? Object.entries(at).find(([key]) => key === part)?.[1]
          : undefined
    }
    return reference.startsWith('#/') && at !== undefined
  }
  expect([...references].filter((reference) => !resolves(reference))).toEqual([])
})

test('the reference page shows the document and contacts no other server', async () => {
  const page = await forecourt.anonymous.send({ method: 'GET', url: '/api/reference' })
  const script = await forecourt.anonymous.send({ method: 'GET', url: '/api/reference.js' })
  expect(page.text).toContain('src="/api/reference.js"')
  expect(page.text + script.text).not.toMatch(/https?:\/\//)
  expect(script.text).toContain("url: '/api/openapi.json'")
})
