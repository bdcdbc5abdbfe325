"""Delta tables: their log, their protocol, and what a stream may do to their schema.

    actions log snapshot                 what is in the log; entries, each written once; the state
    merging type_changes guard           what a write makes of the table's schema          (pure)
    protocol mapping planning settings   features, physical names: what a commit says      (pure)
    casting statistics partition_values  rows in the table's types; what an `add` says     (pure)
    data_files commits                   the files, and the one way into the log           [disk]
    creation batch_writes properties     version 0; rows of a DataFrame; ALTER TABLE       [disk]
    scan lazy_scan history               reading                                           [disk]
    library                              `deltalake`, loaded when it is needed
    maintenance vacuum                   fewer files, and those that nobody needs          [disk]

`deltalake` replays the log when a table is opened and writes checkpoints; it writes no rows. Source
of all rules: Delta's PROTOCOL.md (delta-io/delta).
"""
