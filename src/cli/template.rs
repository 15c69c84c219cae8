//! `netconfarena template`: for who writes templates.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use miette::{IntoDiagnostic, Result, WrapErr, miette};

use super::select::{Folder, Seeds};
use super::validate::check;
use crate::authoring::advice::{Advice, advise};
use crate::authoring::explain::Explanation;
use crate::authoring::variety::{self, Variety};
use crate::authoring::{index, scaffold};
use crate::instance::{Instance, InstanceName};
use crate::report::diagram;
use crate::report::topology::Picture;
use crate::template::{Template, catalog};
use crate::validation::Finding;

/// Findings of one kind that are printed.
const SHOWN: usize = 10;

/// Options of `template`.
#[derive(Debug, Args)]
pub(super) struct TemplateArgs {
    #[command(subcommand)]
    command: TemplateCommand,
}

#[derive(Debug, Subcommand)]
enum TemplateCommand {
    /// Write a small template to start from, with comments that explain each table
    New(NewArgs),
    /// Prove a template sound, explain what is wrong, and advise what would make it better
    Check(CheckArgs),
    /// Draw the network of an instance
    Diagram(DiagramArgs),
    /// Print the Markdown table of all templates
    Index(IndexArgs),
}

#[derive(Debug, Args)]
struct NewArgs {
    /// Folder that is made; its last two parts are the template's name, e.g. templates/ospf/stub-area
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// Folder of a template, or the name of one of those under --templates
    #[arg(value_name = "FOLDER|NAME")]
    template: String,
    #[command(flatten)]
    folder: Folder,
    /// Seeds that are played, e.g. 0-19
    #[arg(long, value_name = "SEEDS", default_value = "0-9")]
    seeds: Seeds,
}

#[derive(Debug, Args)]
struct DiagramArgs {
    /// TEMPLATE@SEED; without a seed, seed 0
    #[arg(value_name = "INSTANCE")]
    name: InstanceName,
    #[command(flatten)]
    folder: Folder,
    /// Write an SVG file instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct IndexArgs {
    #[command(flatten)]
    folder: Folder,
    /// Put the table between the markers of this file instead of printing it
    #[arg(long, value_name = "FILE")]
    update: Option<PathBuf>,
}

impl TemplateArgs {
    pub fn run(self) -> Result<ExitCode> {
        match self.command {
            TemplateCommand::New(args) => args.run(),
            TemplateCommand::Check(args) => args.run(),
            TemplateCommand::Diagram(args) => args.run(),
            TemplateCommand::Index(args) => args.run(),
        }
    }
}

impl NewArgs {
    fn run(self) -> Result<ExitCode> {
        let name = scaffold::write(&self.folder)?;
        let folder = self.folder.display();
        println!("{name}: a sound template is in {folder}. Change it into yours, and after each step:");
        println!("  netconfarena template check {folder}");
        Ok(ExitCode::SUCCESS)
    }
}

impl CheckArgs {
    fn run(self) -> Result<ExitCode> {
        let template = self.load()?;
        let instances: Vec<Instance> =
            self.seeds.0.iter().map(|&seed| template.instantiate(seed)).collect::<Result<_, _>>()?;
        let variety = Variety::of(&template, variety::SEEDS)?;
        let findings = check(&instances);
        let advice = advise(&template, &variety);
        let found = seeds_by_finding(&instances, &findings);
        println!(
            "{}: {} instances played; {} distinct prompts over {} seeds",
            template.name,
            instances.len(),
            variety.prompts,
            variety.seeds
        );
        print_findings(&found);
        print_advice(&advice);
        let sound = found.is_empty();
        println!("\n{}", if sound { "The template is sound." } else { "The template is not sound." });
        Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The template in the folder of that name, or the one that is called so.
    fn load(&self) -> Result<Template> {
        let folder = Path::new(&self.template);
        if folder.join("template.toml").is_file() {
            let whole = folder.canonicalize().into_diagnostic()?;
            return Ok(Template::load(&whole)?);
        }
        if folder.is_dir() {
            return Err(miette!("{} holds no template.toml", folder.display()));
        }
        let wanted = [self.template.clone()];
        let mut templates = catalog::load(&self.folder.templates, &wanted)?;
        match (templates.pop(), templates.is_empty()) {
            (Some(template), true) => Ok(template),
            _ => Err(miette!("`{}` names several templates; `validate` checks many at once", self.template)),
        }
    }
}

/// What was found, each with the seeds on which it was.
fn seeds_by_finding<'a>(
    instances: &[Instance],
    findings: &'a [Vec<Finding>],
) -> BTreeMap<&'a Finding, Vec<String>> {
    let mut found: BTreeMap<&Finding, Vec<String>> = BTreeMap::new();
    for (instance, of_instance) in instances.iter().zip(findings) {
        for finding in of_instance {
            found.entry(finding).or_default().push(instance.name.seed.to_string());
        }
    }
    found
}

/// Prints findings, those of one kind together with what they mean.
fn print_findings(found: &BTreeMap<&Finding, Vec<String>>) {
    let mut kinds: Vec<(Explanation, Vec<String>)> = Vec::new();
    for (finding, seeds) in found {
        let text = format!("seed {}: {finding}", seeds.join(", "));
        let explanation = finding.explanation();
        match kinds.iter_mut().find(|(kind, _)| *kind == explanation) {
            Some((_, texts)) => texts.push(text),
            None => kinds.push((explanation, vec![text])),
        }
    }
    for (explanation, texts) in kinds {
        println!();
        texts.iter().take(SHOWN).for_each(|text| println!("error: {text}"));
        if texts.len() > SHOWN {
            println!("... and {} more of this kind", texts.len() - SHOWN);
        }
        println!("  What it means: {}", explanation.meaning);
        println!("  What to do: {}", explanation.remedy);
    }
}

fn print_advice(advice: &[Advice]) {
    if !advice.is_empty() {
        println!();
    }
    advice.iter().for_each(|one| println!("advice: {one}"));
}

impl DiagramArgs {
    fn run(self) -> Result<ExitCode> {
        let instance = self.folder.instance(&self.name)?;
        let picture = Picture::of(&instance.prompt());
        match self.svg {
            None => print!("{} - {}\n\n{}", instance.name, instance.title, diagram::text(&picture)),
            Some(file) => {
                let failure = || format!("{} cannot be written", file.display());
                fs::write(&file, diagram::svg(&picture)).into_diagnostic().wrap_err_with(failure)?;
                println!("{}: {}", file.display(), instance.name);
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl IndexArgs {
    fn run(self) -> Result<ExitCode> {
        let table = index::markdown(&catalog::load(&self.folder.templates, &[])?);
        let Some(file) = self.update else {
            print!("{table}");
            return Ok(ExitCode::SUCCESS);
        };
        let name = file.display();
        let text = fs::read_to_string(&file).into_diagnostic().wrap_err(format!("{name} cannot be read"))?;
        let missing = || miette!("{name} has no lines `{}` and `{}`", index::BEGIN, index::END);
        let text = index::put(&text, &table).ok_or_else(missing)?;
        fs::write(&file, text).into_diagnostic().wrap_err(format!("{name} cannot be written"))?;
        println!("{name}: the table of all templates is up to date");
        Ok(ExitCode::SUCCESS)
    }
}
