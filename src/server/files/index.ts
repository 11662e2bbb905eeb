// Files owns stored folders and files by path, and their limits.
// It does not own permissions or references to files.
// Its rules come from the specification, sections 5 and 7, and docs/decisions/0034.
export { fileHandlers } from './files.ts'
export { largeUploadHandlers, sweepLargeUploads } from './large-uploads.ts'
export { anyUses } from './media-uses.ts'
export { sameFileHandlers, sweepDeletedMedia } from './same-files.ts'
export { mediaMoveHandlers, sweepMediaMoves } from './media-moves.ts'
export { mediaTextHandlers } from './media-texts.ts'
export { noteContent } from './media-contents.ts'
export { scanMedia } from './scan-media.ts'
export { logFiles, type LogFileEvent } from './log-files.ts'
export { spaceOf } from './storage-paths.ts'
export { type Limits, makeQuota, type Quota } from './quota.ts'
export { type MediaReader, mediaReader, readBytes } from './read-media.ts'
export {
  makePublicPictures,
  MOST_PICTURE_BYTES,
  problemOfPicture,
  type PublicPictures,
  sweepPublicPictures,
} from './public-pictures.ts'
export {
  discardPictures,
  pictureIntake,
  publishPicture,
  type PictureIntake,
  type StagedPicture,
} from './take-pictures.ts'
export { sweepFiles } from './sweep-files.ts'
