// Owns the screens of questionnaires, their editor and import.
// Rules: contract/questionnaires/questionnaires/questionnaires.ts.
export { ChangeList } from './editor/versions/ChangeList.tsx'
