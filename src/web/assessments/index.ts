// Owns the screens of assessments and targets, and answering with its offline queue.
// Does not own what an invitation link opens (participants).
// Rules: contract/assessments/assessments/assessments.ts.
export { ConflictCard } from './answering/ConflictCard.tsx'
export { PresentPeople } from './answering/PresentPeople.tsx'
export { plainDrafts, rowKeyOf, toDrafts } from './answering/answer-cells.ts'
export { type Change, stateOf } from './answering/answer-queue.ts'
export type { SyncParts, SyncState } from './answering/answer-sync.ts'
export { Answering } from './answering/answering.ts'
export { type Device, countKept, holdChanges, openDeviceStore } from './answering/device-store.ts'
export { type FileParts, FileSync, type KeptFile } from './answering/file-sync.ts'
export { PageUse } from './answering/page-use.ts'
export { after, newId } from './answering/queue-parts.ts'
export { toMutation, toResult, toSendFailure } from './answering/save-parts.ts'
export { usePresence } from './answering/use-presence.ts'
export { useSameVersion } from './answering/use-same-version.ts'
export { type TabClaim, useTabClaim } from './answering/use-tab-claim.ts'
export { TargetPeopleTable } from './assessments/people/TargetPeopleTable.tsx'
