import { auditSource } from './administration/index.ts'
import { factorSource, inventorySource, ledgerSource } from './carbon/index.ts'
import { actionSource, assessmentSource, targetSource } from './assessments/index.ts'
import { questionnaireSource } from './questionnaires/index.ts'
import { customerSource, foundSource, lotTable } from './customers/index.ts'
import { userSource, userTypeSource, whiteLabelSource } from './identity/index.ts'
import {
  feedRunSource,
  feedSourceSource,
  providerMappingSource,
  unmappedSource,
  valueMappingSource,
} from './feeds/index.ts'
import { channelSource } from './channels/index.ts'
import { advertisedSource, pricingRuleSource } from './pricing/index.ts'
import { vehicleSource } from './vehicles/index.ts'
import {
  formSource,
  layoutTable,
  pageTable,
  savedBlocksTable,
  campaignTable,
  shortUrlTable,
  recipientSource,
  submissionSource,
} from './marketing/index.ts'
import { leadDeliverySource, leadSource } from './leads/index.ts'
import { jobSource } from './queue/job-source.ts'
import { handlerSource, mailSource, suppressionSource, templateSource } from './mail/index.ts'
import { organizationSource } from './organizations/index.ts'
import type { ListSource } from './lists/list-source.ts'

/** The SQL sources of all lists, for features that work on any list. */
export const allSources: readonly ListSource[] = [
  customerSource,
  foundSource,
  userSource,
  userTypeSource,
  organizationSource,
  lotTable.source,
  vehicleSource,
  factorSource,
  inventorySource,
  ledgerSource,
  providerMappingSource,
  feedSourceSource,
  feedRunSource,
  channelSource,
  advertisedSource,
  pricingRuleSource,
  leadSource,
  leadDeliverySource,
  formSource,
  recipientSource,
  submissionSource,
  campaignTable.source,
  shortUrlTable.source,
  pageTable.source,
  layoutTable.source,
  savedBlocksTable.source,
  questionnaireSource,
  assessmentSource,
  actionSource,
  targetSource,
  valueMappingSource,
  unmappedSource,
  mailSource,
  handlerSource,
  suppressionSource,
  templateSource,
  whiteLabelSource,
  jobSource,
  auditSource,
]
