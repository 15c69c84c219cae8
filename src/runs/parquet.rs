//! Episodes as a Parquet table: one row an episode, the columns of Table II, and the whole record as JSON.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::directory::{RunError, each_episode};
use crate::episode::record::Episode;

/// Rows that are in memory at a time.
const ROWS: usize = 256;

/// What a column takes from an episode.
enum Take {
    Text(fn(&Episode) -> String),
    Count(fn(&Episode) -> usize),
    /// A count that not every episode has.
    Maybe(fn(&Episode) -> Option<u64>),
    Number(fn(&Episode) -> f64),
    Flag(fn(&Episode) -> bool),
}

/// The columns, in the table's order.
const COLUMNS: [(&str, Take); 23] = [
    ("instance", Take::Text(|e| e.instance.clone())),
    ("template", Take::Text(|e| e.template.clone())),
    ("subcategory", Take::Text(|e| e.subcategory.clone())),
    ("difficulty", Take::Text(|e| e.difficulty.to_string())),
    ("seed", Take::Maybe(|e| Some(e.seed))),
    ("repeat", Take::Count(|e| e.repeat)),
    ("agent", Take::Text(|e| e.agent.clone())),
    ("score", Take::Number(|e| e.score)),
    ("passed", Take::Flag(|e| e.passed)),
    ("completion", Take::Text(|e| e.completion.to_string())),
    ("turns", Take::Count(|e| e.turns)),
    ("null_turns", Take::Count(|e| e.metrics.conduct.null_turns)),
    ("judged_actions", Take::Count(|e| e.metrics.conduct.judged_actions)),
    ("rejected_actions", Take::Count(|e| e.metrics.conduct.rejected_actions)),
    ("repeated_turns", Take::Count(|e| e.metrics.conduct.repeated_turns)),
    ("cfg_f1", Take::Number(|e| e.metrics.cfg.f1)),
    ("input_tokens", Take::Maybe(|e| e.tokens.map(|t| t.input))),
    ("output_tokens", Take::Maybe(|e| e.tokens.map(|t| t.output))),
    ("virtual_seconds", Take::Number(|e| e.virtual_seconds)),
    ("wall_seconds", Take::Number(|e| e.wall_seconds)),
    ("converged", Take::Flag(|e| e.converged)),
    ("hash", Take::Text(|e| e.hash.clone())),
    ("record", Take::Text(|e| serde_json::to_string(e).unwrap_or_default())),
];

/// The table's schema in Parquet's own notation.
fn schema() -> String {
    let column = |(name, take): &(&str, Take)| match take {
        Take::Text(_) => format!("REQUIRED BYTE_ARRAY {name} (UTF8);"),
        Take::Count(_) => format!("REQUIRED INT64 {name};"),
        Take::Maybe(_) => format!("OPTIONAL INT64 {name};"),
        Take::Number(_) => format!("REQUIRED DOUBLE {name};"),
        Take::Flag(_) => format!("REQUIRED BOOLEAN {name};"),
    };
    format!("message episodes {{ {} }}", COLUMNS.iter().map(column).collect::<String>())
}

fn output(error: ParquetError) -> RunError {
    RunError::Output(std::io::Error::other(error))
}

/// Writes the episodes of runs as one table, and tells how many there are.
///
/// # Errors
/// A run cannot be read, or the table not written.
pub fn write(runs: &[PathBuf], out: impl Write + Send) -> Result<usize, RunError> {
    let schema = Arc::new(parse_message_type(&schema()).map_err(output)?);
    let mut writer = SerializedFileWriter::new(out, schema, Arc::default()).map_err(output)?;
    let (mut waiting, mut count) = (Vec::new(), 0);
    for run in runs {
        each_episode(run, |episode| {
            waiting.push(episode);
            count += 1;
            if waiting.len() < ROWS { Ok(()) } else { add_rows(&mut writer, &mut waiting) }
        })?;
    }
    add_rows(&mut writer, &mut waiting)?;
    writer.close().map_err(output)?;
    Ok(count)
}

fn add_rows<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    rows: &mut Vec<Episode>,
) -> Result<(), RunError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut group = writer.next_row_group().map_err(output)?;
    for (_, take) in &COLUMNS {
        add_column(&mut group, take, rows).map_err(output)?;
    }
    group.close().map_err(output)?;
    rows.clear();
    Ok(())
}

fn add_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    take: &Take,
    rows: &[Episode],
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    match take {
        Take::Text(text) => {
            let values: Vec<ByteArray> = rows.iter().map(|row| text(row).into_bytes().into()).collect();
            column.typed::<ByteArrayType>().write_batch(&values, None, None)?;
        }
        Take::Count(number) => {
            let values: Vec<i64> = rows.iter().map(|row| whole(number(row) as u64)).collect();
            column.typed::<Int64Type>().write_batch(&values, None, None)?;
        }
        Take::Maybe(number) => {
            let values: Vec<i64> = rows.iter().filter_map(number).map(whole).collect();
            let present: Vec<i16> = rows.iter().map(|row| i16::from(number(row).is_some())).collect();
            column.typed::<Int64Type>().write_batch(&values, Some(&present), None)?;
        }
        Take::Number(number) => {
            let values: Vec<f64> = rows.iter().map(number).collect();
            column.typed::<DoubleType>().write_batch(&values, None, None)?;
        }
        Take::Flag(flag) => {
            let values: Vec<bool> = rows.iter().map(flag).collect();
            column.typed::<BoolType>().write_batch(&values, None, None)?;
        }
    }
    column.close()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;
    use crate::agent::builtin::Random;
    use crate::backend::scripted::Scripted;
    use crate::episode::Settings;
    use crate::instance::sample::two_routers;
    use crate::runs::directory::RunDirectory;
    use crate::runs::runner::Job;

    #[test]
    fn the_table_reads_back_as_the_episodes_of_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let (run, table) = (folder.path().join("run"), folder.path().join("table.parquet"));
        let instances = vec![two_routers()];
        let job = Job {
            factory: &Random,
            backend: &Scripted,
            settings: Settings::default(),
            instances: &instances,
            repeats: ROWS + 10,
            shard: None,
            workers: 2,
            attempts: 1,
        };
        job.run(&mut RunDirectory::open(&run, &job.plan().unwrap()).unwrap(), &()).unwrap();
        let count = write(std::slice::from_ref(&run), std::fs::File::create(&table).unwrap()).unwrap();
        assert_eq!(count, ROWS + 10);
        let reader = SerializedFileReader::new(std::fs::File::open(&table).unwrap()).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let mut rows = reader.get_row_iter(None).unwrap();
        each_episode(&run, |episode| {
            let row = rows.next().unwrap().unwrap();
            assert_eq!(row.get_string(0).unwrap(), &episode.instance);
            assert_eq!(row.get_double(7).unwrap(), episode.score);
            assert_eq!(row.get_bool(8).unwrap(), episode.passed);
            assert_eq!(row.get_long(10).unwrap(), episode.turns as i64);
            assert!(row.get_long(17).is_err(), "no tokens");
            let record: Episode = serde_json::from_str(row.get_string(22).unwrap()).unwrap();
            assert_eq!(record, episode);
            Ok(())
        })
        .unwrap();
        assert!(rows.next().is_none());
    }
}
