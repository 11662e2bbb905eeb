-- Google vehicle listings, which are shown in search and maps, are another product than Google vehicle ads
-- (docs/decisions/0296-google-vehicle-listings.md).
alter table channels drop constraint channels_kind_check;
alter table channels add constraint channels_kind_check check (kind in ('google', 'google-listings', 'meta', 'csv'));
