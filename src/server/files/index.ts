// Files owns what is kept in the store: folders and files by their paths, their limits.
// It does not own who may do what with them, nor what refers to them.
// Its rules come from the specification, sections 5 and 7, and docs/decisions/0034.
export { fileHandlers } from './files.ts'
export { noteFiles, type NoteFileEvent } from './note.ts'
export { spaceOf } from './places.ts'
export { type Limits, makeQuota } from './quota.ts'
export { mediaReader } from './read-media.ts'
export {
  discardPictures,
  pictureIntake,
  publishPicture,
  type PictureIntake,
  type StagedPicture,
} from './take-pictures.ts'
