package sql

import (
	"strings"
	"sync"
)

// foreign names the functions of a statement that belong to no database system:
// those that the schema defines, whose text is not seen and may write.
func (l *lowerer) foreign() []string {
	var out []string
	for _, e := range l.p.calls {
		if !builtin(e.name) {
			out = l.addName(out, strings.ToLower(strings.Join(e.name, ".")))
		}
	}
	return out
}

// builtin reports whether a function comes with a database system and changes no
// data. Sequences, locks and settings are no data. A function that is qualified
// with a schema of the program's own is foreign, whatever its name.
func builtin(path []string) bool {
	if len(path) == 0 {
		return true // a form of syntax, like ARRAY[…]
	}
	name := strings.ToLower(path[len(path)-1])
	if len(path) > 1 {
		return systemSchemas[strings.ToLower(path[len(path)-2])] && !writers[name]
	}
	if builtins()[name] {
		return true
	}
	i := strings.IndexByte(name, '_')
	return i > 0 && families[name[:i]] && !writers[name]
}

var systemSchemas = set("pg_catalog information_schema crdb_internal sys dbms_lock dbms_random dbms_utility dbms_session")

// families are beginnings of names under which only functions of the systems
// themselves, and of PostGIS, are found.
var families = set("pg json jsonb jsonpath xml regexp regr st uuid bit array inet txid ts percent approx has")

// writers are the functions of those families that change data.
var writers = set("pg_import_system_collations pg_file_write pg_file_rename pg_file_unlink pg_create_logical_replication_slot " +
	"pg_create_physical_replication_slot pg_drop_replication_slot pg_replication_slot_advance pg_logical_slot_get_changes")

// builtins are the functions of PostgreSQL, MySQL, SQLite, SQL Server, Oracle and
// CockroachDB that no family covers.
var builtins = sync.OnceValue(func() map[string]bool {
	return set(
		// conditions, conversions, and what is written like a function
		"array row rows cast try_cast convert try_convert coalesce nullif ifnull nvl nvl2 isnull zeroifnull decode if iif choose case greatest least " +
			"exists any some all values in not interval extract position overlay treat unistr to_char to_date to_number to_timestamp to_timestamp_tz " +
			"to_clob to_nchar to_json to_jsonb to_hex to_ascii to_tsvector to_tsquery to_days to_seconds to_base64 from_base64 hextoraw rawtohex " +
			"to_regclass to_regtype row_to_json parse_json try_parse parse typeof quote quotename quote_ident quote_literal quote_nullable " +
			// aggregates and windows
			"count sum total min max avg every bool_and bool_or string_agg group_concat listagg wm_concat grouping grouping_id stddev " +
			"stddev_pop stddev_samp stdev stdevp std variance var var_pop var_samp varp corr covar_pop covar_samp mode median any_value first last " +
			"count_big checksum_agg row_number rank dense_rank ntile cume_dist lag lead first_value last_value nth_value range_agg range_merge " +
			// numbers
			"abs ceil ceiling floor round trunc truncate mod power pow sqrt cbrt exp ln log log10 log2 sign sin cos tan asin acos atan atan2 atn2 sinh cosh tanh " +
			"degrees radians pi rand random randomblob setseed width_bucket div gcd lcm scale min_scale trim_scale factorial conv bin oct hex unhex bitand bitor " +
			"square remainder crc32 " +
			// text
			"lower upper initcap length len char_length character_length octet_length bit_length datalength char chr ascii unicode nchar concat concat_ws substr substring " +
			"substring_index left right lpad rpad trim ltrim rtrim btrim replace translate reverse repeat replicate space split_part string_to_array string_to_table " +
			"strpos instr charindex patindex locate find_in_set field elt format printf stuff soundex difference metaphone levenshtein similarity word_similarity " +
			"strict_word_similarity starts_with ends_with like glob lcase ucase mid insert export_set make_set load_file string_split unaccent normalize parse_ident " +
			"encode compress uncompress md5 sha1 sha2 sha224 sha256 sha384 sha512 digest hmac crypt gen_salt hashbytes checksum binary_checksum ora_hash standard_hash " +
			"hashtext hashtextextended hash farm_fingerprint fnv32 fnv64 fnv32a fnv64a crc32c crc32ieee convert_from convert_to get_byte set_byte get_bit set_bit " +
			"aes_encrypt aes_decrypt encrypt decrypt overlaps collation charset collate strcmp weight_string like_escape " +
			// time
			"now current_timestamp current_date current_time localtime localtimestamp clock_timestamp statement_timestamp transaction_timestamp timeofday " +
			"sysdate systimestamp sysdatetime sysutcdatetime getdate getutcdate sysdatetimeoffset utc_timestamp utc_date utc_time curdate curtime unixepoch julianday " +
			"strftime date time datetime timestamp date_part date_trunc date_bin datetrunc date_format date_add date_sub adddate subdate addtime subtime timediff timestampdiff " +
			"timestampadd dateadd datediff datediff_big datepart datename datefromparts datetimefromparts day dayname dayofmonth dayofweek dayofyear month " +
			"monthname year hour minute second microsecond quarter week weekday weekofyear yearweek last_day eomonth next_day add_months months_between new_time str_to_date " +
			"from_unixtime unix_timestamp from_days makedate maketime make_date make_time make_timestamp make_timestamptz make_interval justify_days justify_hours justify_interval " +
			"age isfinite timezone convert_tz time_format sec_to_time time_to_sec period_add period_diff from_tz numtodsinterval numtoyminterval switchoffset todatetimeoffset " +
			"experimental_strptime experimental_strftime follower_read_timestamp cluster_logical_timestamp with_min_timestamp with_max_staleness " +
			// sets, documents, ranges, search
			"generate_series generate_subscripts unnest cardinality openjson isjson json table multiset jsonb_each int4range int8range numrange tsrange " +
			"tstzrange daterange lower_inc upper_inc lower_inf upper_inf isempty plainto_tsquery phraseto_tsquery websearch_to_tsquery setweight strip numnode querytree match against " +
			"bm25 snippet highlight hstore akeys avals skeys svals each xpath xpath_exists xmltable query_to_xml extractvalue updatexml existsnode point polygon circle box path lseg line " +
			"center radius distance earth_distance ll_to_earth earth_box cube ltree subpath subltree nlevel host netmask masklen family network broadcast abbrev text inet_aton inet_ntoa " +
			"inet6_aton inet6_ntoa is_ipv4 is_ipv6 geometry geography geomfromtext astext connectby crosstab " +
			// identifiers, the session, the catalogue
			"gen_random_uuid gen_random_bytes gen_random_ulid gen_ulid uuidv4 uuidv7 newid newsequentialid sys_guid unordered_unique_rowid unique_rowid version database schema " +
			"current_schema current_schemas current_database current_catalog current_user session_user system_user user user_name suser_name suser_sname original_login current_role " +
			"current_query current_setting set_config connection_id last_insert_id last_insert_rowid row_count found_rows changes total_changes scope_identity ident_current lastval currval " +
			"nextval setval next_value txid_current object_id object_name db_id db_name schema_id schema_name col_name col_length columnproperty objectproperty serverproperty " +
			"type_id type_name host_name app_name error_message error_number xact_state sys_context userenv sqlite_version sqlite_source_id sqlite_compileoption_used col_description " +
			"obj_description shobj_description format_type inet_client_addr inet_server_addr inet_server_port txid_snapshot_xmin row_security_active " +
			"is_member is_srvrolemember fn_listextendedproperty likelihood likely unlikely zeroblob benchmark sleep dbtimezone sessiontimezone " +
			"get_lock release_lock release_all_locks is_free_lock is_used_lock applock_mode applock_test sp_getapplock sp_releaseapplock master_pos_wait ps_current_thread_id " +
			"lo_get loread lo_open lo_lseek lo_tell lo_close name_const default")
})
