import type { carbonComparison } from '#contract/carbon/results/comparison.ts'
import type { Handlers } from './http/serve.ts'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { lackingMigrations } from './database/migrate.ts'
import type { DB } from './database/schema.ts'
import { type AsOwner } from './database/tenant-transaction.ts'
import { auditHandlers } from './administration/index.ts'
import { allSources } from './all-sources.ts'
import {
  activityHandlers,
  activityImportHandlers,
  evidenceHandlers,
  groupHandlers,
  assignmentHandlers,
  customSourceHandlers,
  dataRequestHandlers,
  factorEditionHandlers,
  factorHandlers,
  factorPreviewHandler,
  instrumentHandlers,
  inventoryHandlers,
  compareInventories,
  importedTotalHandlers,
  ledgerHandlers,
  openItemHandlers,
  baseYearHandlers,
  approvalFileHandlers,
  inventoryApprovalHandlers,
  reopeningHandlers,
  setStatusHandler,
} from './carbon/index.ts'
import {
  changeLotsHandlers,
  customerDetailsHandlers,
  dealerIdHandlers,
  customerHandlers,
  lotHandlers,
  lotTable,
} from './customers/index.ts'
import type { Settings } from './environment.ts'
import {
  anyUses,
  fileHandlers,
  largeUploadHandlers,
  mediaMoveHandlers,
  mediaTextHandlers,
  type logFiles,
  type MediaReader,
  pictureIntake,
  sameFileHandlers,
} from './files/index.ts'
import {
  dashboardHandlers,
  healthHandlers,
  outgoingHandlers,
  searchHandlers,
  tenantBadges,
} from './home/index.ts'
import { type Drain } from './http/drain.ts'
import type { EventLoopDelay } from './http/event-loop.ts'
import {
  admitMailReader,
  authHandlers,
  changeUsersHandlers,
  countMailCodeUsers,
  impersonationHandlers,
  googleHandlers,
  makeNonces,
  secondFactorHandlers,
  sessionHandlers,
  userHandlers,
  userTypeHandlers,
  whiteLabelHandlers,
  type Identity,
} from './identity/index.ts'
import {
  type PhotoCopying,
  changeVehiclesHandlers,
  customFieldHandlers,
  removeVehiclesHandlers,
  unlockVehiclesHandlers,
  makeVehicleCells,
  makeVehicleEditing,
  makeVehicleHistory,
  findPhotoUses,
  vehiclePhotoHandlers,
  vehicleReading,
  vehicleUses,
  makeVehicleRestoring,
  vinHandlers,
} from './vehicles/index.ts'
import {
  type makeFeeds,
  runNames,
  applyValuesHandlers,
  providerMappingHandlers,
  unmappedHandlers,
  valueMappingHandlers,
} from './feeds/index.ts'
import {
  buyerDocumentHandlers,
  channelHandlers,
  pricePlaceHandlers,
  publicFeedHandlers,
} from './channels/index.ts'
import {
  vehiclePriceHandlers,
  vehiclePrices,
  pricingRuleHandlers,
  requireSettingConsent,
  requireZoneConsent,
  ruleFileHandlers,
  ruleRequestHandlers,
  advertisedPriceHandlers,
} from './pricing/index.ts'
import {
  leadDeliveryHandlers,
  leadDestinationHandlers,
  leadFileHandlers,
  leadHandlers,
  leadResponseHandlers,
  leadTeamHandlers,
  leadRoutingRuleHandlers,
  answerTemplateHandlers,
  leadAbsenceHandlers,
  leadNoticeHandlers,
  leadSettingsHandlers,
  personDataHandlers,
  type makeInbound,
  peopleHandlers,
  leadMoveHandlers,
} from './leads/index.ts'
import type { Jobs } from './queue/jobs.ts'
import { facetHandlers } from './lists/facets.ts'
import { viewHandlers } from './lists/views.ts'
import {
  emailHandlerHandlers,
  mailEventHandlers,
  outboxHandlers,
  suppressionHandlers,
  templateHandlers,
  type Outbox,
} from './mail/index.ts'
import {
  facilityHandlers,
  organizationHandlers,
  organizationProfileHandlers,
  setUpHandlers,
} from './organizations/index.ts'
import {
  assessmentActionHandlers,
  assessmentAnswerHandlers,
  assessmentHandlers,
  assessmentPresenceHandlers,
  assessmentResultHandlers,
  assessmentSetupHandlers,
  assessmentVersionHandlers,
  assessmentTargetHandlers,
  targetReopeningHandlers,
  targetSnapshotHandlers,
} from './assessments/index.ts'
import { participantAreaHandlers, participantHandlers } from './participants/index.ts'
import {
  type makeImportThread,
  questionBankHandlers,
  questionnaireFileHandlers,
  questionnaireHandlers,
} from './questionnaires/index.ts'
import {
  formHandlers,
  layoutHandlers,
  savedBlocksHandlers,
  findPageUses,
  pageHandlers,
  pictureCheck,
  pagePreviewHandlers,
  campaignHandlers,
  campaignRecipientHandlers,
  importedListHandlers,
  readSiteOf,
  shortUrlHandlers,
  submissionHandlers,
} from './marketing/index.ts'
import { openGoogle } from './outside/google.ts'
import { openDnsResolver } from './outside/dns-resolver.ts'
import { type OutsideStorage } from './outside/open-transaction.ts'
import {
  comparisonExport,
  leadResponseExport,
  exportHandlers,
  reportHandlers,
  assessmentAnswersReport,
  assessmentMatrix,
  userAccessReview,
} from './reports/index.ts'
import type { MakePdf } from './printed-document.ts'
import type { Secrets } from './secrets.ts'
import type { Invitations } from './assessments/index.ts'

/** What the handlers are made of: the parts of the product that `app.ts` assembles. */
export type Wiring = Readonly<{
  settings: Settings
  secrets: Secrets
  installId: string
  databaseMode: 'embedded' | 'external'
  hasMailServer: boolean
  pool: pg.Pool
  exportPool: pg.Pool
  asOwner: AsOwner
  iam: Kysely<DB>
  queue: Kysely<DB>
  outsideStorage: OutsideStorage
  outbox: Outbox
  identity: Identity
  jobs: Jobs
  feeds: ReturnType<typeof makeFeeds>
  inbound: ReturnType<typeof makeInbound>
  invitations: Invitations
  importThread: ReturnType<typeof makeImportThread>
  pdfOf: MakePdf
  drain: Drain
  eventLoop: () => EventLoopDelay
  transportOptions: { postmarkUrl: string; allowsPrivate: boolean }
  media: MediaReader
  photos: Pick<PhotoCopying, 'pictures' | 'copies'>
  fileLimits: { file: number; customer: number }
  noteFile: ReturnType<typeof logFiles>
  countTest: Parameters<typeof emailHandlerHandlers>[1]
  exported: Parameters<typeof exportHandlers>[0]
  /** The address of the product. */
  base: () => string
  onDelivery: () => void
  onDue: () => void
}>

/** The handlers of every endpoint, by domain. */
export const handlersOf = (wiring: Wiring) => ({
  ...identityPart(wiring),
  ...organizationPart(wiring),
  ...vehiclePart(wiring),
  ...carbonPart(wiring),
  ...feedAndPricePart(wiring),
  ...leadPart(wiring),
  ...assessmentPart(wiring),
  ...sharedPart(wiring),
})

const findMediaUses = anyUses(findPhotoUses, findPageUses)

/** Users, their access, and the emails and files of the product. */
const identityPart = ({
  settings,
  secrets,
  installId,
  pool,
  asOwner,
  iam,
  outsideStorage,
  outbox,
  identity,
  jobs,
  transportOptions,
  fileLimits,
  noteFile,
  countTest,
  photos: { pictures },
}: Wiring) => ({
  auth: authHandlers(identity, (actor) => tenantBadges(pool, actor)),
  secondFactor: secondFactorHandlers(identity),
  impersonation: impersonationHandlers(identity),
  sessions: sessionHandlers(identity),
  google: googleHandlers(identity, {
    google: settings.google === null ? null : openGoogle(settings.google),
    nonces: makeNonces(iam, secrets),
  }),
  setUp: setUpHandlers(asOwner, identity, { secrets, installId }),
  users: { ...userHandlers(identity), ...changeUsersHandlers(jobs) },
  userTypes: userTypeHandlers,
  outbox: outboxHandlers(outbox, admitMailReader(identity)),
  files: fileHandlers(outsideStorage, fileLimits, noteFile, pictures, findMediaUses),
  sameFiles: sameFileHandlers(outsideStorage, noteFile, findMediaUses),
  mediaMoves: mediaMoveHandlers(outsideStorage, noteFile),
  mediaTexts: mediaTextHandlers(outsideStorage),
  largeUploads: largeUploadHandlers(outsideStorage, fileLimits, noteFile, findMediaUses),
  emailHandlers: emailHandlerHandlers(
    { ...transportOptions, secrets },
    countTest,
    async (_, { customerId }) => {
      const isSending = await outbox.isSending(iam, customerId)
      return { isSending, codesNeededBy: isSending ? 0 : await countMailCodeUsers(iam, customerId) }
    },
  ),
  emailTemplates: templateHandlers(outbox, countTest),
  suppressions: suppressionHandlers,
  mailEvents: mailEventHandlers(iam, secrets),
  whiteLabels: whiteLabelHandlers({ iam, settings, names: openDnsResolver(settings.nameServers) }),
})

/** Organizations, customers and their lots. */
const organizationPart = ({ asOwner, identity, jobs }: Wiring) => ({
  organizations: organizationHandlers(identity, requireZoneConsent),
  organizationProfiles: organizationProfileHandlers(requireZoneConsent),
  facilities: facilityHandlers,
  customers: customerHandlers(identity, asOwner),
  customerDetails: customerDetailsHandlers(requireSettingConsent),
  lots: {
    ...lotTable.handlers,
    ...lotHandlers(requireSettingConsent),
    ...lotTable.removing(jobs),
    ...changeLotsHandlers(jobs),
  },
  dealerIds: dealerIdHandlers,
})

/** Vehicles, their photos and what their VINs say. */
const vehiclePart = ({
  settings,
  outsideStorage,
  jobs,
  transportOptions,
  fileLimits,
  noteFile,
  photos: { pictures, copies },
}: Wiring) => ({
  vehicles: {
    ...vehicleReading,
    ...vehicleUses,
    ...makeVehicleEditing(
      vehiclePrices,
      (outside) => pictureIntake(outsideStorage, fileLimits)(outside).hasPicture,
    ),
    ...makeVehicleCells(vehiclePrices),
    ...makeVehicleRestoring(vehiclePrices),
    ...makeVehicleHistory(runNames),
    ...changeVehiclesHandlers(jobs, vehiclePrices),
    ...removeVehiclesHandlers(jobs),
    ...unlockVehiclesHandlers(jobs),
  },
  customFields: customFieldHandlers,
  vehiclePhotos: vehiclePhotoHandlers(pictureIntake(outsideStorage, fileLimits), noteFile, {
    ...transportOptions,
    pictures,
    copies,
    copyLimits: settings.photoCopyLimits,
  }),
  vins: vinHandlers,
})

/** Carbon inventories, from factors to results. */
const carbonPart = ({ pool, iam, outsideStorage, identity, fileLimits }: Wiring) => ({
  factors: { ...factorHandlers, ...factorPreviewHandler },
  factorEditions: factorEditionHandlers,
  activities: activityHandlers,
  carbonComparison: {
    ...({ compare: ({ db, input }) => compareInventories(db, input) } satisfies Pick<
      Handlers<typeof carbonComparison>,
      'compare'
    >),
    ...comparisonExport,
  },
  carbonGroup: groupHandlers({ pool: pool, iam }),
  importedTotals: importedTotalHandlers,
  activityImports: activityImportHandlers,
  evidence: evidenceHandlers(outsideStorage, fileLimits),
  instruments: instrumentHandlers,
  ledger: ledgerHandlers,
  carbonOpenItems: openItemHandlers,
  carbonInventories: { ...inventoryHandlers, ...setStatusHandler },
  inventoryApproval: inventoryApprovalHandlers,
  inventoryApprovals: approvalFileHandlers,
  inventoryReopenings: reopeningHandlers(identity),
  baseYear: baseYearHandlers,
  carbonAssignments: assignmentHandlers,
  customSources: customSourceHandlers,
  dataRequests: dataRequestHandlers(identity),
})

/** How vehicles arrive, what they cost buyers, and where they are advertised. */
const feedAndPricePart = ({
  secrets,
  exportPool,
  iam,
  jobs,
  feeds,
  transportOptions,
  media,
  photos: { pictures, copies },
  base,
  pdfOf,
  onDue,
}: Wiring) => ({
  providerMappings: providerMappingHandlers,
  ...feeds.handlers,
  vehiclePrices: {
    ...vehiclePriceHandlers,
    ...pricePlaceHandlers(base),
    ...buyerDocumentHandlers({ pdfOf, base }),
  },
  pricingRules: pricingRuleHandlers,
  ruleFiles: ruleFileHandlers,
  ruleRequests: ruleRequestHandlers,
  advertisedPrices: advertisedPriceHandlers({ pdfOf }),
  channels: channelHandlers({ secrets, base, onDue: onDue }),
  publicFeeds: publicFeedHandlers({
    pool: exportPool,
    iam,
    secrets,
    mediaReader: () => media,
    pictures: () => pictures,
    copies,
    allowsPrivate: transportOptions.allowsPrivate,
  }),
  valueMappings: { ...valueMappingHandlers, ...applyValuesHandlers(jobs) },
  unmappedValues: unmappedHandlers,
})

/** Leads, and the forms that send them. */
const leadPart = ({
  settings,
  pool,
  iam,
  media,
  photos: { pictures },
  secrets,
  outsideStorage,
  outbox,
  inbound,
  onDelivery,
  jobs,
  base,
  pdfOf,
}: Wiring) => ({
  leads: leadHandlers({ outbox, jobs }),
  leadFiles: leadFileHandlers(outsideStorage),
  leadMoves: leadMoveHandlers,
  leadResponses: { ...leadResponseHandlers, ...leadResponseExport },
  leadTeam: leadTeamHandlers,
  leadNotices: leadNoticeHandlers,
  leadAbsences: leadAbsenceHandlers,
  answerTemplates: answerTemplateHandlers,
  leadSettings: leadSettingsHandlers,
  ...inbound.handlers,
  people: peopleHandlers,
  personData: personDataHandlers,
  leadRoutingRules: leadRoutingRuleHandlers,
  leadDestinations: leadDestinationHandlers({ secrets, wake: onDelivery }),
  leadDeliveries: leadDeliveryHandlers({ isSending: outbox.isSending, wake: onDelivery }),
  forms: formHandlers(secrets),
  submissions: submissionHandlers(outsideStorage),
  promoPages: {
    ...pageHandlers(jobs, secrets, pictureCheck(media)),
    ...pagePreviewHandlers({ pool, iam, secrets, media, pictures, projectFolder: settings.projectFolder }),
  },
  dvpLayouts: layoutHandlers(jobs, pictureCheck(media)),
  savedBlocks: savedBlocksHandlers(jobs),
  shortUrls: shortUrlHandlers(jobs, { pdfOf, base }),
  ...campaignPart({ jobs, secrets, base, outbox, iam, settings }),
})

/** Campaigns, and the lists of people for them. */
const campaignPart = ({
  jobs,
  secrets,
  base,
  outbox,
  iam,
  settings,
}: Pick<Wiring, 'jobs' | 'secrets' | 'base' | 'outbox' | 'iam' | 'settings'>) => {
  const parts = {
    secrets,
    base,
    outbox,
    readSite: (customerId: string) => readSiteOf(iam, customerId),
    names: openDnsResolver(settings.nameServers),
    installationSender: settings.smtp?.from ?? null,
    startFile: jobs.startFile,
  }
  return {
    campaigns: campaignHandlers(jobs, parts),
    campaignRecipients: campaignRecipientHandlers,
    importedLists: importedListHandlers(parts),
  }
}

/** Questionnaires, assessments and their participants. */
const assessmentPart = ({
  pool,
  iam,
  outsideStorage,
  identity,
  invitations,
  importThread,
  fileLimits,
  pdfOf,
}: Wiring) => ({
  questionnaires: questionnaireHandlers,
  questionnaireFiles: questionnaireFileHandlers({ pdfOf, importThread }),
  questionBank: questionBankHandlers,
  assessments: assessmentHandlers(identity, invitations),
  assessmentSetup: assessmentSetupHandlers(identity),
  assessmentTargets: assessmentTargetHandlers(identity, invitations),
  targetReopenings: targetReopeningHandlers(identity, invitations),
  targetSnapshots: targetSnapshotHandlers,
  assessmentVersions: assessmentVersionHandlers,
  assessmentAnswers: assessmentAnswerHandlers({
    identity,
    invitations,
    storageOf: outsideStorage,
    limits: fileLimits,
  }),
  assessmentPresence: assessmentPresenceHandlers,
  assessmentResults: assessmentResultHandlers,
  assessmentActions: assessmentActionHandlers,
  assessmentParticipants: participantHandlers(identity),
  participantArea: participantAreaHandlers({
    iam,
    pool,
    mailer: identity,
    storageOf: outsideStorage,
    limits: fileLimits,
    pdfOf,
  }),
})

/** What every list, job, report and page uses. */
const sharedPart = ({
  asOwner,
  iam,
  queue,
  outsideStorage,
  jobs,
  drain,
  pdfOf,
  eventLoop,
  exported,
  databaseMode,
  hasMailServer,
  settings,
  base,
  outbox,
  onDelivery,
  onDue,
}: Wiring) => ({
  views: viewHandlers(allSources),
  facets: facetHandlers(allSources),
  jobs: jobs.handlers,
  reports: {
    ...exportHandlers(exported, jobs),
    ...reportHandlers([userAccessReview, assessmentAnswersReport, assessmentMatrix], { iam, pdfOf }),
  },
  search: searchHandlers(iam),
  dashboard: dashboardHandlers({ asOwner, publicUrl: settings.publicUrl }),
  auditLog: auditHandlers,
  outgoing: outgoingHandlers(asOwner, () => {
    outbox.wake()
    onDelivery()
    onDue()
  }),
  health: healthHandlers({
    iam,
    queue,
    mode: databaseMode,
    hasMailServer: hasMailServer,
    links: { publicUrl: settings.publicUrl, isLoopback: settings.isLoopback, address: base },
    storage: outsideStorage,
    drain,
    eventLoop,
    findPendingMigrations: lackingMigrations(),
  }),
})
